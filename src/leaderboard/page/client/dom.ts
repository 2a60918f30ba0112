import { printable } from '../../../model/printable.ts'
import { besideHref } from './beside.ts'
import { countText, visible } from './words.ts'

export type Child = Node | string | null | false

type Attributes = Readonly<Record<string, string | number | boolean>>

/** An element. Texts become text nodes: nothing is ever read as markup. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(...children.filter((child) => child !== null && child !== false))
  return element
}

/** A button that does something. */
export function button(attributes: Attributes, act: () => void, ...children: readonly Child[]): HTMLButtonElement {
  const element = h('button', { type: 'button', ...attributes }, ...children)
  element.addEventListener('click', act)
  return element
}

/** A short text from outside, kept from turning what stands around it; beyond the limit its end is in the tooltip. */
export function name(text: string, limit = 60): HTMLElement {
  const shown = printable(text)
  if (shown.length <= limit) return h('bdi', {}, shown)
  return h('bdi', { title: shown.slice(0, 1000) }, `${shown.slice(0, limit).toWellFormed()}…`)
}

/** A text from outside of any length: beyond the limit a button shows all of it. */
export function long(text: string, limit = 300): HTMLElement {
  const shown = visible(text)
  const body = h('bdi', {}, shown)
  if (shown.length <= limit) return body
  const toggle = button({ class: 'more', 'aria-expanded': 'false' }, () => {
    const opened = toggle.getAttribute('aria-expanded') === 'false'
    show(opened)
  })
  const show = (all: boolean): void => {
    body.textContent = all ? shown : `${shown.slice(0, limit).toWellFormed()}…`
    toggle.setAttribute('aria-expanded', String(all))
    toggle.textContent = all ? 'Show less' : `Show all ${countText(shown.length)} characters`
  }
  show(false)
  return h('span', { class: 'long' }, body, ' ', toggle)
}

/** A link to a file beside the page; its name alone where it is none. */
export function fileLink(path: string): HTMLElement {
  const href = besideHref(path)
  return href === null ? name(path, 120) : h('a', { href }, name(path, 120))
}

/** An element of the page by its id. */
export function byId(id: string): HTMLElement {
  return document.getElementById(id)!
}
