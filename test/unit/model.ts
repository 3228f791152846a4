// The model as the service joins it, with no terms of a data directory.

import { resolve } from 'node:path'

import { openModel as open } from '../../src/app/load-model.js'
import type { Addresses } from '../../src/model/iris.js'

export const openModel = ({ base }: Addresses) =>
  open({ baseUrl: base, dataDir: resolve('no-such-directory') })
