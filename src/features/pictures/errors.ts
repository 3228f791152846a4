// What can be wrong with a picture.

/** There is no such picture, or not for who asks. */
export class PictureNotFoundError extends Error {}

/** The file is no picture that is taken. The message says why. */
export class PictureRejectedError extends Error {}

/** So many pictures wait for their turn that one more would wait too long. */
export class PicturesBusyError extends Error {}
