// The model as the service builds it, without local terms of a data directory.

import { resolve } from 'node:path'

import { loadModel as open } from '../../src/app/load-model.js'
import type { Iris } from '../../src/model/iris.js'

export const openModel = ({ base }: Iris) =>
  open({ baseUrl: base, dataDir: resolve('no-such-directory') })
