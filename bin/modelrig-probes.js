#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`modelrig-probes: needs Node 22.18 or newer; this is ${process.versions.node}`)
  process.exitCode = 4
} else {
  await import('../dist/src/cli/main.js')
}
