// What the commands of the command line take. In a file of its own, as `--help` needs nothing else.

export const loadUsage = `usage: zine-catalogue load FILE…|--sample [--url URL [--token-file FILE]] [--replace [--force]]
       without --url, into the data directory of a stopped service;
       a FILE whose name ends in .csv is CSV, every other is JSON Lines;
       --sample is a small invented collection, which comes with the service;
       --replace replaces records that exist, unless they were changed after FILE was exported;
       --force replaces these too;
       a token FILE has the token of an account as its first line, and - is standard input`

export const accountUsage = `usage: zine-catalogue account add NAME --role admin|editor|viewer [--only zines,holdings | --repository ID] --password-stdin
       zine-catalogue account invite NAME --role admin|editor|viewer [--only zines,holdings | --repository ID]
       zine-catalogue account list
       zine-catalogue account role NAME --role admin|editor|viewer [--only zines,holdings | --repository ID]
       zine-catalogue account password NAME --password-stdin
       zine-catalogue account disable NAME
       zine-catalogue account enable NAME
       zine-catalogue token add NAME --label LABEL [--role admin|editor|viewer] [--only zines,holdings] [--expires 90d]
       zine-catalogue token list NAME
       zine-catalogue token revoke NAME [LABEL]
       zine-catalogue webhook add NAME URL [--kind zines|agents|repositories|holdings]
       zine-catalogue webhook list [NAME]
       zine-catalogue webhook enable ID
       zine-catalogue webhook remove ID`

export const importUsage = `usage: zine-catalogue import FILE [--source NAME] [--profile PROFILE.json] [--dry-run] [--report REPORT.csv]
       zine-catalogue import ADDRESS --prefix oai_dc|marcxml|marc21 [--set SET] [the same options]
       zine-catalogue import DIR, a folder that publish has written
       zine-catalogue import list
       zine-catalogue import undo ID
       all with --url URL [--token-file FILE] for a running service; without, of a stopped one`

export const publishUsage = 'usage: zine-catalogue publish DIR [--lang en|es|fr]'

export const usage = `usage: zine-catalogue [serve]
${[loadUsage, accountUsage, importUsage, publishUsage].map(continued).join('\n')}
       zine-catalogue rebase URL
       zine-catalogue rebuild
       zine-catalogue backup FILE
       zine-catalogue restore FILE
       zine-catalogue remove-upgrade-backup
       zine-catalogue doctor [--json]
       zine-catalogue doctor --forgotten < TEXTS

Settings are environment variables; docs/reference/settings.md lists them.`

/** A usage as a later line of all usages. */
function continued(text: string): string {
  return text.replace('usage:', '      ')
}
