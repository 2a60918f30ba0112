import { builtinModules } from 'node:module'
import { defineConfig } from 'oxlint'

/** Rooms of `src/`, foundations first: a room imports itself and rooms above it, never one below. */
const ROOMS = [
  'model',
  'grade',
  'stats',
  'fixtures',
  'results',
  'providers',
  'gateway',
  'probe',
  'pool',
  'registry',
  'leaderboard',
  'plugin',
  'cli',
]

/** What a room may not know although it stands above it. */
const STRANGERS: Record<string, string[]> = {
  stats: ['grade'],
  fixtures: ['stats'],
  providers: ['grade', 'stats', 'fixtures', 'results'],
  gateway: ['grade', 'stats', 'fixtures', 'results'],
  probe: ['results', 'providers', 'gateway'],
  pool: ['grade', 'stats', 'fixtures', 'results', 'providers'],
  registry: ['gateway', 'probe', 'pool'],
  leaderboard: ['grade', 'fixtures', 'providers', 'gateway', 'probe', 'pool'],
  reporters: ['grade', 'fixtures', 'providers', 'gateway', 'probe', 'pool', 'registry', 'leaderboard', 'plugin', 'cli'],
}

/** Rooms without I/O. */
const PURE = ['model', 'grade', 'stats']
const KNOW_VITEST_NODE = ['pool', 'plugin', 'cli', 'reporters']
const KNOW_VITEST = [...KNOW_VITEST_NODE, 'probe']

const SDKS = '^(openai|@google/genai|@anthropic-ai/sdk|tesseract\\.js)(/|$)'

const REDIS = '^(redis|@redis/.*)(/|$)'

const NODE_MODULE = `^(node:|(${builtinModules.filter((name) => !name.startsWith('_')).join('|')})(/|$))`

interface Ban {
  regex: string
  message: string
  allowTypeImports?: boolean
}

/** What types and shipped schemas are made from is hundreds of modules, for which nobody who runs this should wait. */
const SHAPES: Ban[] = ['^typebox(/|$)', '-shape\\.ts$'].map((regex) => ({
  regex,
  message: 'Shapes are written out as JSON by scripts/; here only their types are known.',
  allowTypeImports: true,
}))

function bansOf(room: string): Ban[] {
  const position = ROOMS.indexOf(room)
  const below = position === -1 ? [] : ROOMS.slice(position + 1)
  const closed = [...below, ...(STRANGERS[room] ?? [])]
  const bans: Ban[] = []
  if (closed.length > 0) {
    bans.push({
      regex: `^\\.\\.?/(.*/)?(${closed.join('|')})/`,
      message: `${room} knows nothing of this room: imports go down the list of rooms only.`,
    })
  }
  if (room !== 'plugin' && room !== 'reporters')
    bans.push({ regex: '/reporters/', message: 'Only plugin/ knows the reporter.' })
  bans.push({ regex: '/(kits|test|bench)/', message: 'The package knows nothing of kits, tests and benchmarks.' })
  if (PURE.includes(room)) bans.push({ regex: NODE_MODULE, message: `${room} is pure: no Node modules.` })
  if (room !== 'providers') bans.push({ regex: SDKS, message: 'SDKs are imported in providers/ alone.' })
  if (room !== 'gateway') bans.push({ regex: REDIS, message: 'Redis is talked to in gateway/ alone.' })
  if (!KNOW_VITEST_NODE.includes(room))
    bans.push({ regex: '^vitest/', message: `${room} does not know Vitest’s node side.` })
  if (!KNOW_VITEST.includes(room)) bans.push({ regex: '^vitest$', message: `${room} does not know Vitest.` })
  return bans
}

const rooms = [...ROOMS, 'reporters'].flatMap((room) => {
  const folder = room === 'reporters' ? room : `src/${room}`
  const banned = (patterns: Ban[]) => ({ 'no-restricted-imports': ['error', { patterns }] as ['error', object] })
  return [
    { files: [`${folder}/**/*.ts`], rules: banned([...bansOf(room), ...SHAPES]) },
    { files: [`${folder}/**/*-shape.ts`], rules: banned(bansOf(room)) },
  ]
})

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'node', 'promise'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-default-export': 'error',
    'node/no-process-env': 'error',
    'typescript/no-explicit-any': 'error',
    'no-await-in-loop': 'off',
    'no-new': 'off',
    'import/no-named-as-default': 'off',
    'import/no-unassigned-import': ['error', { allow: ['**/*.css'] }],
    'import/no-named-as-default-member': 'off',
    'oxc/no-map-spread': 'off',
    'no-shadow': 'off',
    'promise/always-return': 'off',
    'unicorn/require-post-message-target-origin': 'off',
    'unicorn/prefer-set-has': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'max-lines': ['error', { max: 400 }],
  },
  overrides: [
    ...rooms,
    { files: ['src/plugin/environment.ts'], rules: { 'node/no-process-env': 'off' } },
    { files: ['test/**', 'bench/**'], rules: { 'node/no-process-env': 'off' } },
    { files: ['bin/**'], rules: { 'import/no-unassigned-import': 'off' } },
    { files: ['*.config.ts'], rules: { 'import/no-default-export': 'off' } },
  ],
  ignorePatterns: ['dist', 'node_modules'],
})
