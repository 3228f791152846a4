// Messages of the API as pages show them. The API answers in English; here are those that a person
// can meet, with placeholders where they name something. What is not here is shown in English.

import { message, partsOf, type Translator } from './translator.js'

const apiMessages: readonly string[] = [
  message('The service is starting. Try again soon.'),
  message('The service is stopping. Nothing was written.'),
  message('The address is too long.'),
  message('Request headers too large.'),
  message('Not found.'),
  message('This was deleted.'),
  message('Invalid page.'),
  message('Could not satisfy the request Accept header.'),
  message('The format {format} is not available here. Available are: {formats}.'),
  message('Authentication credentials were not provided.'),
  message('You do not have permission to perform this action.'),
  message(
    'This form did not come from here, or is too old, or cookies are switched off: load its page again.',
  ),
  message('Request was throttled. Expected available in {seconds} seconds.'),
  message('Method "{method}" not allowed.'),
  message('Unsupported media type "{type}" in request.'),
  message('Too many downloads are under way. Try again later.'),
  message(
    'The list has {count} records, and a file in this format at most {most}. Filter the list, or choose another format.',
  ),
  message('"{value}" is not a valid choice.'),
  message('Your account is not allowed to do this. Ask an administrator of the catalogue.'),
  message('You were signed out meanwhile, or this form is too old. Sign in and try again.'),
  message('Wrong user name or password.'),
  message('Token added.'),
  message('This button is not known. Reload the page and try again.'),
  message('Your account may not add webhooks.'),
  message('Webhook added.'),
  message('Webhook enabled.'),
  message('Webhook disabled.'),
  message('Webhook removed.'),
  message('There is no such webhook.'),
  message('Password changed.'),
  message('Invitation for "{name}" made.'),
  message('Invitation for "{name}" withdrawn.'),
  message('Account "{name}" created.'),
  message('Role saved.'),
  message('Password reset.'),
  message('Account disabled.'),
  message('Account enabled.'),
  message('There is no library with the identifier "{id}".'),
  message('The two passwords are not the same.'),
  message('All tokens revoked.'),
  message('Token revoked. The new one is below.'),
  message('Token revoked: {label}.'),
  message('"{name}" has no token with the label "{label}".'),
  message('There is no account named "{name}".'),
  message('There is already an account named "{name}".'),
  message('"{name}" already has a token with the label "{label}".'),
  message('"{name}" has {count} tokens. Revoke one of them first.'),
  message('"{name}" is the last administrator who can log in. Make another one first.'),
  message('The label of a token may not be blank.'),
  message('A token may not do more than its account may do.'),
  message('There is no open invitation for "{name}".'),
  message('The name of an account may not be blank.'),
  message('The name of an account may not contain control characters.'),
  message('The name of an account may not begin or end with white space.'),
  message('The name of an account is too long. Use at most {count} characters.'),
  message('Only an editor can be restricted to some of the resources.'),
  message('The identifier of the repository may not be blank.'),
  message('Only an editor can be bound to a repository.'),
  message('An editor who is bound to a repository writes holdings only.'),
  message('The password may not be blank.'),
  message('The password may not contain null characters.'),
  message('The password is too long. Use at most {count} characters.'),
  message('The password is too short. Use at least {count} characters.'),
  message('A value is missing for what you chose.'),
  message('Somebody else changed records meanwhile. Look again before you go on.'),
  message('Choose what your request is about.'),
  message('Write what you ask for.'),
  message('This is too long. Use at most {count} characters.'),
  message('Not sent yet: the form was too old, or cookies are switched off. Send it again.'),
  message('Not sent: there were too many requests in the last hour. Try again in a minute.'),
  message('Not sent: there were too many requests in the last hour. Try again in {count} minutes.'),
  message('Nothing is saved yet: somebody else changed this request meanwhile. Look again.'),
  message('Unknown parameters in the query: {names}.'),
  message('The rows above the columns are a number.'),
  message('The label of a token may not contain control characters.'),
  message('The label of a token is too long. Use at most {count} characters.'),
  message('"{name}" is the token that a login gives. Use another label for this one.'),
  message('A token expires after 1 to {count} days.'),
  message('Too many logins at once.'),
  message('Too many failed logins. Try again in a minute.'),
  message('Too many failed logins. Try again in {count} minutes.'),
  message('There is no such invitation. Look whether the whole address was opened.'),
  message('This invitation was used already. Sign in with the password that was chosen then.'),
  message('This invitation has expired. Ask an administrator for another one.'),
  message('Nothing is left of this batch.'),
  message('This batch was undone by {batch}.'),
  message('The query finds {count} records; a batch may change {most} at most.'),
  message('A filter takes no more than {count} values.'),
  message('A search takes no more than {count} terms.'),
  message('Enter a decade such as 1990.'),
  message('Enter a year in four digits.'),
  message('Enter true or false.'),
  message('A record cannot be merged into itself.'),
  message('No file was submitted.'),
  message('The file is too large.'),
  message('Too many pictures are being processed. Try again later.'),
  message('The record has been changed since it was read.'),
  message('The index of words is being filled. Try again soon.'),
  message('Citations cannot be made now.'),
  message('The store does not answer.'),
  message('The store did not take it; nothing was written.'),
  message('Too many files are open; nothing was written.'),
  message('The disk is full; nothing was written.'),
  message('Request body too large.'),
  message('A form may have {count} values at most.'),
  message('A field of a form may have {count} values at most.'),
  message('This field may not be changed.'),
  message('Somebody else changed one of the two meanwhile. Look again before you merge them.'),
  message('Nothing was deleted: that is not the name. Type it exactly as it is shown below.'),
  message('Somebody else changed this record meanwhile. Look again before you delete it.'),
  message('Control characters are not allowed.'),
  message('This identifier cannot be used in a URL.'),
  message('Null characters are not allowed.'),
  message('Ensure this field has no more than {count} elements.'),
  message('Ensure this field has no more than {count} characters.'),
  message('Not a valid string.'),
  message('Too many combining characters in a row.'),
  message('Must be a valid boolean.'),
  message('This field may not be blank.'),
  message('This field is required.'),
  message('Enter a valid URL.'),
  message('A record has {count} pictures at most.'),
  message(
    'Upload a valid image. The file you uploaded was either not an image or a corrupted image.',
  ),
  message('The picture has more than {count} million pixels.'),
  message('The submitted file is empty.'),
  message('An account may have {count} webhooks. Remove one of them first.'),
  message('The kind has to be one of {kinds}.'),
  message('Enter a letter from A to Z, or #.'),
  message('A view has to be one of {views}.'),
  message('Choose a file, or give an address.'),
  message('The address begins with http:// or https://.'),
  message('The import was changed meanwhile, in another window or by somebody else.'),
  message(
    'These new terms stay, since they are used elsewhere or were changed in their file: {terms}.',
  ),
  message('There is no such field.'),
  message('There is no such profile.'),
  message('The profile needs a name.'),
  message('"{name}": Enter the identifier of a maker.'),
  message('"{name}": Put | between the names.'),
  message('"{name}": There is no maker with the identifier "{id}".'),
  message('The pattern needs {row} or a field, or all zines have one identifier.'),
  message('The pattern needs {zine}, {row} or a field.'),
  message('"{code}" is no code of {vocabulary}.'),
  message('one has a further name in parentheses'),
  message('one begins with “the”'),
  message('the words stand in another order'),
  message('only the spaces differ'),
  message('one letter differs'),
  message('a fuller form of the name is the same'),
  message('It has an e-mail address, which must not be public.'),
  message('It has a telephone number, which must not be public.'),
  message('The file has a fuller form of this name.'),
  message('It may be one of those with a year of birth.'),
  message('This short name may be of several people.'),
  message('The field is for one name, and several stand in it.'),
  message('two letters differ'),
  message('one has a further middle name'),
  message('one has initials only'),
  message('{host} is not a public address. Only the person who runs the service can allow it.'),
  message('{host} answers with too much at once.'),
  message('{host} cannot be reached: it does not answer in time'),
  message('{host} cannot be reached: {reason}'),
  message('{host} redirects too often.'),
  message('The request was stopped.'),
  message('The catalogue answers with status {status}.'),
  message('The answer of the catalogue cannot be read.'),
  message('The catalogue does not have this record any more.'),
]

type ApiMessage = {
  readonly text: string
  /** The names of its placeholders, and what stands before, between and after them. */
  readonly names: readonly string[]
  readonly literals: readonly string[]
}

const known: readonly ApiMessage[] = apiMessages.map((text) => {
  const parts = partsOf(text)
  return {
    text,
    names: parts.filter((_, index) => index % 2 === 1),
    literals: parts.filter((_, index) => index % 2 === 0),
  }
})

/**
 * What stands in the places of the placeholders, each at least one character; undefined for another
 * message.
 */
function valuesOf([first = '', ...rest]: readonly string[], text: string): string[] | undefined {
  if (!text.startsWith(first)) return undefined
  const values: string[] = []
  let start = first.length
  for (const [index, literal] of rest.entries()) {
    const isLast = index === rest.length - 1
    const end = isLast ? text.length - literal.length : text.indexOf(literal, start + 1)
    if (end <= start || !text.startsWith(literal, end)) return undefined
    values.push(text.slice(start, end))
    start = end + literal.length
  }
  return start === text.length ? values : undefined
}

/** Longer texts are no messages with a value in them. */
const maxLength = 2000

/** The message in the language of the page. */
export function translateApiMessage(
  { t, findPattern, language }: Translator,
  text: string,
): string {
  if (language === 'en' || text.length > maxLength) return text
  const own = findPattern(text)
  if (own !== undefined) return own
  for (const { text: english, names, literals } of known) {
    const values = valuesOf(literals, text)
    if (values) return t(english, Object.fromEntries(names.map((name, at) => [name, values[at]])))
  }
  return text
}
