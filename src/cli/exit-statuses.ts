import { EXIT_STATUS } from '../model/errors.ts'
import type { Command } from './command.ts'

/** What the exit statuses say, whatever the command. */
export const STATUSES: Command['statuses'] = {
  [EXIT_STATUS.done]: 'done',
  [EXIT_STATUS.checkFailed]: 'a check said no; or the command was wrong, and the message names the flag',
  [EXIT_STATUS.envelopeReached]: 'the envelope was reached; what was measured is written',
  [EXIT_STATUS.unscored]: 'some samples could not be measured; the result is written, and marked incomplete',
  [EXIT_STATUS.setup]: 'something in the set-up is wrong; all of it is listed at once',
  [EXIT_STATUS.interrupted]: 'interrupted; what was measured is written',
}
