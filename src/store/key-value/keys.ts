// All keys of the key-value store. What the entries mean and how they are written is up to the
// files that use them. The doctor checks every kind of entry named here.

/** The beginning of the keys of what the whole directory has once. */
const settings = 'meta/'

/** The BASE_URL that the IRIs of all records begin with. */
export const baseUrlKey = `${settings}base`

/**
 * Exists as long as BASE_URL was never set: the base URL then follows the address of the service.
 */
export const followsAddressKey = `${settings}follows-address`

/** The version of the data format. */
export const versionKey = `${settings}version`

/** The version of the derived triples that all records have. */
export const derivationKey = `${settings}derivation`

/** Exists from the copy of the store, before data are brought to a later version, until that is done. */
export const upgradeKey = `${settings}upgrade`

/** The move to another base URL that has begun, and how far it is. */
export const moveKey = `${settings}move`

/**
 * A random identifier of this catalogue. The remote store holds it too, so that two do not share
 * one.
 */
export const catalogueIdKey = `${settings}catalogue`

/** The name of the log of changes, which a restored backup begins anew. */
export const logNameKey = `${settings}log`

/** The number of the last change by which identifiers were forgotten. */
export const lastForgettingKey = `${settings}last-forgetting`

/**
 * The SHA-256 of the file that has the indexes of all records as they are (src/app/index-file.ts).
 * The first write of a process removes it.
 */
export const indexFileKey = `${settings}indexes`

/** The number of the last request for a change, also when that was deleted. */
export const lastChangeRequestKey = `${settings}change-request`

/**
 * The beginnings of the keys of everything else. `changes` are those of the log; `history` leads to
 * the changes of each record, and `deletions` to those that deleted records. `forgotten` has the
 * number of versions of a record that the log does not have any more. `batches` are commits of many
 * changes that were asked for at once. `redactions` are those that are not done.
 * `forgottenIdentifiers` are hashes of identifiers that no record may have again. `idempotencyKeys`
 * are those of requests of the last day. `imports` are what
 * is remembered of imports; `importedRows` are rows of their sources, and `importedRecords` leads
 * from a record to its row; `importProfiles` are those that were saved. `hidden` are the records
 * that only some accounts see, and `withheld` the references to them of records that everybody sees;
 * `hiddenChanges` are the changes of hidden records, and `hiddenDeletions` those that deleted them. `pictures` are those of each record. `formerSeries` leads from the IRI of a series to the zine that left it last.
 * `webhooks` are the addresses that are told of changes. `lists` are those that editors make, `listVersions` what each
 * change made of one, and `deletedLists` those that can be restored. `rememberedValues` are what accounts chose
 * last in forms. `remote` is the state of the remote store; it exists only while the data directory
 * is used with one.
 */
export const prefixes = {
  records: 'record/',
  changes: 'change/',
  history: 'history/',
  deletions: 'deletion/',
  forgotten: 'forgotten/',
  hidden: 'hidden/',
  withheld: 'withheld/',
  hiddenChanges: 'hidden-change/',
  hiddenDeletions: 'hidden-deletion/',
  batches: 'batch/',
  redactions: 'redaction/',
  forgottenIdentifiers: 'forgotten-identifier/',
  idempotencyKeys: 'idempotency-key/',
  imports: 'import/',
  importedRows: 'import-row/',
  importedRecords: 'import-record/',
  importProfiles: 'import-profile/',
  accounts: 'account/',
  accountUses: 'account-use/',
  rememberedValues: 'account-values/',
  sessions: 'session/',
  invitations: 'invitation/',
  changeRequests: 'request/',
  pictures: 'picture/',
  formerSeries: 'former-series/',
  webhooks: 'webhook/',
  lists: 'list/',
  listVersions: 'list-version/',
  deletedLists: 'deleted-list/',
  remote: 'remote/',
} as const

/** The number of the last commit that is in the remote store. */
export const remoteCommitKey = `${prefixes.remote}commit`

/** The commit that is being written to the remote store. */
export const remotePendingKey = `${prefixes.remote}pending`

/** Where the identifier of the catalogue was before it became `catalogueIdKey`. */
export const formerCatalogueIdKey = `${prefixes.remote}catalogue`
