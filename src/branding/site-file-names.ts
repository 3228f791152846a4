// The names of the files that readSiteFiles of site-files.ts reads; a backup has them too.

export const aboutFileName = 'about.md'

export const logoFileNames = ['logo.svg', 'logo.png'] as const

export const siteFileNames: readonly string[] = [...logoFileNames, aboutFileName]
