import { link, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { createHash, randomUUID } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { readRegular } from '../fixtures/read-regular.ts'
import { ProbeError, messageOf } from '../model/errors.ts'
import { modelSlug } from '../model/model-key.ts'
import { withChecksums } from './checksums.ts'
import { resultProblems, type ResultFile } from './format.ts'

/**
 * Writes a result into `<out>/<provider>-<model>/<class>-<day>.json`, the day of its date. A file that is there
 * stays: the next free of `-2`, `-3`, … is taken. The file appears whole or not at all.
 * @returns its path.
 * @throws ProbeError `RESULTS_UNWRITABLE`; or `RESULT_INVALID` naming the file `….unchecked.json` in which the
 * result was kept although it does not match the format.
 */
export async function writeResult(out: string, result: ResultFile): Promise<string> {
  try {
    const problems = resultProblems(result, 'result')
    const text = textOf(problems.length > 0 ? result : withChecksums(result))
    const folder = join(out, await folderFor(out, result.modelKey))
    const name = `${result.class}-${result.date.slice(0, 10)}`
    const file = await publish(folder, name, problems.length > 0 ? '.unchecked.json' : '.json', text)
    if (problems.length === 0) return file
    const list = problems.map((problem) => `${problem.field} ${problem.message}`).join('; ')
    throw new ProbeError('RESULT_INVALID', `the result does not match its format: ${list}`, { file })
  } catch (cause) {
    if (cause instanceof ProbeError) throw cause
    const why = messageOf(cause)
    throw new ProbeError('RESULTS_UNWRITABLE', `cannot write the result: ${why}`, {
      file: out,
      fix: 'free the disk or mend the folder’s permissions; what the call journal holds is not lost: --resume measures from it',
      cause,
    })
  }
}

/**
 * Writes a result into a file of this name, whole or not at all.
 * @throws ProbeError `RESULTS_UNWRITABLE`, also when there is such a file: it stays.
 */
export async function writeNew(file: string, result: ResultFile): Promise<void> {
  const [problem] = resultProblems(result, file)
  if (problem !== undefined) throw problem
  const temporary = join(dirname(file), `.${basename(file)}-${randomUUID()}.tmp`)
  let there: boolean
  try {
    await writeDurably(temporary, textOf(withChecksums(result)))
    there = !(await claim(temporary, file))
  } catch (cause) {
    throw new ProbeError('RESULTS_UNWRITABLE', `cannot be written: ${messageOf(cause)}`, { file, cause })
  } finally {
    await rm(temporary, { force: true })
  }
  if (there) throw new ProbeError('RESULTS_UNWRITABLE', 'is there already, and is left alone', { file })
}

function textOf(result: ResultFile): string {
  return `${JSON.stringify(result, null, 2)}\n`
}

/** The folder of a model: its slug, or slug and hash when another model (or another case) has that slug. */
async function folderFor(out: string, modelKey: string): Promise<string> {
  const slug = modelSlug(modelKey)
  await mkdir(out, { recursive: true })
  const twins = (await readdir(out)).filter((name) => name.toLowerCase() === slug.toLowerCase())
  for (const twin of twins) {
    const owner = await ownerOf(join(out, twin))
    if (owner !== null && owner !== modelKey)
      return `${slug}-${createHash('sha256').update(modelKey).digest('hex').slice(0, 6)}`
  }
  return slug
}

async function ownerOf(folder: string): Promise<string | null> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => one.endsWith('.json'))) {
    try {
      const { modelKey } = JSON.parse(readRegular(join(folder, name)).toString()) as { modelKey?: unknown }
      if (typeof modelKey === 'string') return modelKey
    } catch {
      // Not a result file: it says nothing about the folder's owner.
    }
  }
  return null
}

async function publish(folder: string, name: string, ending: string, text: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const temporary = join(folder, `.${name}-${randomUUID()}.tmp`)
  try {
    await writeDurably(temporary, text)
    for (let count = 1; ; count += 1) {
      const file = join(folder, `${name}${count === 1 ? '' : `-${count}`}${ending}`)
      if (await claim(temporary, file)) return file
    }
  } finally {
    await rm(temporary, { force: true })
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx')
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Gives the finished file its name unless that is taken: a hard link fails where a rename would overwrite. */
async function claim(temporary: string, file: string): Promise<boolean> {
  try {
    await link(temporary, file)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EXDEV' && code !== 'ENOSYS') throw error
    return claimWithoutLinks(temporary, file)
  }
}

/** For file systems without hard links: reserves the name first, then renames over the reservation. */
async function claimWithoutLinks(temporary: string, file: string): Promise<boolean> {
  try {
    await (await open(file, 'wx')).close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  await rename(temporary, file)
  return true
}
