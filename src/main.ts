#!/usr/bin/env node
// Starts and stops the process. Environment, arguments and signals are read here and nowhere else.

import { pino } from 'pino'

import { AccountRefused } from './accounts/accounts.js'
import { KeyRefused } from './accounts/token.js'
import { openService } from './app.js'
import { UsageError, runAccountCommand } from './commands/account.js'
import { ControlFailed, ControlUnreachable } from './commands/control.js'
import { showCount } from './commands/progress.js'
import { LoadRefused, loadUsage, runLoad } from './commands/load.js'
import { runRebase } from './commands/rebase.js'
import { ConfigError, readConfig } from './config.js'
import { FactMissing } from './model/facts.js'
import { VocabularyError } from './model/vocabulary.js'
import { TurtleError } from './rdf/turtle.js'
import { BaseRefused } from './store/base.js'
import { HomeInUse } from './store/failures.js'
