#!/usr/bin/env node
// Starts and stops the process. Environment, arguments and signals are read here and nowhere else.

import { pino } from 'pino'

import { openService } from './app.js'
import { openProgress } from './commands/progress.js'
import { readConfig } from './config.js'

const config = readConfig(process.env)
const log = pino({ level: config.logLevel })
const progress = openProgress('records loaded', undefined)
let records = 0
const service = await openService(config, { log, loaded: (n) => progress.show((records = n)) })
progress.end(records)
log.info(`listening at ${service.url}`)
