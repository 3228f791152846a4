// Who writes by a request of the API.

import type { ChangeSource } from '../../catalogue/writes/committer.js'
import type { RequestContext } from '../context.js'

export const sourceOfRequest = (
  { state }: RequestContext,
  how: ChangeSource['how'] = 'api',
): ChangeSource => ({ account: state.account?.name, how })
