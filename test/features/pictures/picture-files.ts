// Images for tests, and a client that sends them as browsers send files.

import sharp from 'sharp'

import type { TestService } from '../../service.js'

export const image = (width = 40, height = 60, colour = '#e8356f') =>
  sharp({ create: { width, height, channels: 3, background: colour } })

/** Sends a file as a form. */
export async function sendPicture(
  service: TestService,
  path: string,
  file: Buffer | undefined,
  fields: Readonly<Record<string, string>> = {},
  token: string | null = service.tokens.admin,
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (file) form.append('file', new Blob([new Uint8Array(file)]), 'cover')
  const response = await fetch(service.url + path, {
    method: 'POST',
    body: form,
    headers: token === null ? {} : { authorization: `Token ${token}` },
  })
  return { status: response.status, body: await response.json() }
}
