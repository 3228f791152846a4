// Marks texts that are translated where they are shown. What has no translations of its own may use
// it too.

export const message = <Text extends string>(text: Text): Text => text
