// Says who sees a picture: everybody if it is public, else the accounts that may write its record.

import type { Account } from '../../accounts/accounts.js'
import { mayWrite } from '../../accounts/rights.js'
import type { ResourceName } from '../../model/iris.js'
import type { Picture } from '../../pictures/picture.js'

export const isPictureVisible = (
  picture: Picture,
  name: ResourceName,
  account: Account | undefined,
): boolean => picture.public || (account !== undefined && mayWrite(account, name))
