import { PROBE_CLASSES } from '../../../model/fixture.ts'
import type { Leaderboard, LeaderboardModel } from '../../format.ts'
import { modelBadges } from './board-row.ts'
import { classView } from './class-view.ts'
import { declaredView } from './declared-view.ts'
import { h, long } from './dom.ts'
import { UNPROBED } from './cell-view.ts'

/** All there is of one model. */
export function modelView(board: Leaderboard, model: LeaderboardModel, back: string): HTMLElement {
  const unprobed = PROBE_CLASSES.filter((one) => model.classes[one] === undefined)
  const sections = PROBE_CLASSES.flatMap((one) => {
    const own = model.classes[one]
    return own === undefined ? [] : [classView(board, model, one, own)]
  })
  return h(
    'article',
    { class: 'model-view' },
    h('p', { class: 'back' }, h('a', { href: back }, '← All models')),
    h('h2', { tabindex: -1 }, long(model.key, 120)),
    h('p', {}, ...modelBadges(model)),
    ...sections,
    unprobed.length > 0 &&
      h(
        'section',
        {},
        h('h3', {}, 'Not measured'),
        h('ul', {}, ...unprobed.map((one) => h('li', {}, `${one}: `, h('span', { class: 'unprobed' }, UNPROBED)))),
        h('p', { class: 'aside' }, 'Nobody looked: that says nothing of what the model can do.'),
      ),
    declaredView(model.declared),
  )
}
