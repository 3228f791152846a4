// The serializer for the JSON that the pages of lists and records show as an example of the API.

import { json } from '../../formats/common-formats.js'
import type { RecordSerializer } from '../../formats/serializer.js'
import type { Serializers } from '../../formats/serializers.js'
import type { ResourceName } from '../../model/iris.js'

/** @throws Error if records of the resource have no JSON */
export function requireJsonSerializer(
  serializers: Serializers,
  name: ResourceName,
): RecordSerializer {
  const serializer = serializers[name].find((candidate) => candidate.name === json.name)
  if (!serializer) throw new Error(`no JSON serializer for ${name}`)
  return serializer
}
