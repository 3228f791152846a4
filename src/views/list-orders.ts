// What pages call the orders of lists.

import { message } from '../message.js'

export type ListOrder = {
  /** As the parameter `ordering` takes it. */
  readonly value: string
  readonly label: string
}

export const bestMatch: ListOrder = { value: 'relevance', label: message('Best match first') }
export const recentlyAdded: ListOrder = { value: '-created_at', label: message('Recently added') }
export const byTitle: ListOrder = { value: 'title', label: message('By title') }

/** Of zines: by the year of publication, not by when they were added. */
export const byYear = [
  { value: '-year', label: message('Newest') },
  { value: 'year', label: message('Oldest') },
] as const satisfies readonly ListOrder[]
