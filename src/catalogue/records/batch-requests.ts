// Those who ask at the same time are answered together: one question for all of them.

import { yieldToEventLoop } from '../../scheduling.js'

/**
 * Gathers what is wanted within one turn of the event loop, by keys of its own, and asks for it at once;
 * each gets the whole answer. The next question waits for the next turn, however many there are.
 * @param most how many items one question is for, unless somebody wants more than that at once
 */
export function batchRequests<Item, Answer>(
  most: number,
  ask: (items: ReadonlyMap<string, Item>) => Promise<Answer>,
): (wanted: ReadonlyMap<string, Item>) => Promise<Answer> {
  type Question = { readonly items: Map<string, Item>; readonly answer: Promise<Answer> }
  let open: Question | undefined
  let turn: Promise<void> = Promise.resolve()

  function begin(): Question {
    const items = new Map<string, Item>()
    turn = turn.then(yieldToEventLoop)
    const answer = turn.then(() => {
      if (open === question) open = undefined
      return ask(items)
    })
    const question = { items, answer }
    return question
  }

  return (wanted) => {
    if (!open || open.items.size + wanted.size > most) open = begin()
    for (const [key, item] of wanted) open.items.set(key, item)
    return open.answer
  }
}
