import { describe, expect, test } from 'vitest'
import { plan } from '../../../../shared/plan/planner.ts'
import { planOutline } from '../../../../shared/report/plan-diff.ts'
import { isInHubCache, ollamaTagPath } from '../../../../shared/runbook/model-folders.ts'
import { arrowWidth, movesMermaid, type Move } from '../../../../shared/runbook/moves.ts'
import { planHash } from '../../../../shared/runbook/plan-hash.ts'
import { runBook } from '../../../../shared/runbook/run-book.ts'
import { runningAt, runningOf } from '../../../../shared/runbook/running.ts'
import { fullSite, withSites } from '../../../support/run-book-lab.ts'
import { readSampleLab } from '../../../support/sample-lab.ts'

const moving = await readSampleLab({ allowTransfer: true })
const standing = await readSampleLab({ allowTransfer: false })
const nodes = withSites(moving.lab.nodes, (nodeId) => fullSite(nodeId, 'llama-swap'))
const bookOf = (planned: typeof moving.plan, before: typeof moving.plan | null): string =>
  runBook({
    plan: planned,
    lab: { nodes, shapes: moving.lab.shapes },
    before: before && runningOf(planOutline(before)),
  }).files[0]?.text ?? ''

describe('RUNBOOK.md', () => {
  test('says what will be true, what moves by which links, and the order with the largest fetch last', () => {
    const text = bookOf(moving.plan, null)
    expect(text).toContain('| coder-small | mac-mini | Nemotron-9B-OpenCode | 8092 | after fetching 9.4 GB |')
    expect(text).toContain('planner does not run: weights are held elsewhere')
    expect(text).toContain(
      'archive-nas | mac-studio | mac-mini | 2 | 9,400,007,520 bytes | about 1 min 15 s |',
    )
    const steps = text.split('\n').filter((line) => /^\d+\. /.test(line))
    expect(steps.slice(0, 4)).toEqual([
      '1. Fetch Hermes-4.3-36B (4.3 GB) to gpu-box from archive-nas.',
      '2. Fetch granite-4.0-h-tiny (7.4 GB) to gpu-box from archive-nas.',
      '3. Fetch Nemotron-9B-OpenCode (9.4 GB) to mac-mini from archive-nas.',
      '4. Start hermes on gpu-box.',
    ])
  })

  test('begins with what was seen running: what is elsewhere stops there, and what is in place stays', () => {
    const seen = new Map(
      standing.plan.roles.flatMap(({ role, outcome }) =>
        outcome.nodeId === null ? [] : [[role, outcome.nodeId]],
      ),
    )
    seen.set('voice-llm', 'mac-studio')
    const text =
      runBook({
        plan: standing.plan,
        lab: { nodes, shapes: moving.lab.shapes },
        before: runningAt(planOutline(standing.plan), seen),
      }).files[0]?.text ?? ''
    const steps = text.split('\n').filter((line) => /^\d+\. /.test(line))
    expect(steps).toEqual([
      '1. Start voice-llm on gpu-box.',
      '2. Stop voice-llm on mac-studio: it runs on gpu-box now.',
    ])
  })

  test('says that it does not know what runs now, or counts it and has only the difference to do', () => {
    expect(bookOf(standing.plan, null)).toContain('That is not known')
    const text = bookOf(standing.plan, standing.plan)
    expect(text).toContain('There is nothing to do.')
    expect(text).toContain('Nothing moves')
    const back = bookOf(standing.plan, moving.plan)
    expect(back).toMatch(/Stop hermes on gpu-box: (?:the plan runs it nowhere|it runs on \S+ now)\./)
  })

  test('gives the command that downloads exactly the files of exactly the revision that no node has', () => {
    const source = { hfRepo: 'org/Big', hfRevision: 'abc123', ollamaTag: null }
    const lab = {
      ...moving.lab,
      manifests: moving.lab.manifests.map((manifest) => ({
        ...manifest,
        body: { ...manifest.body, source },
      })),
      nodes: moving.lab.nodes.map((node) => ({
        ...node,
        facts: node.facts && {
          ...node.facts,
          capabilities: node.facts.capabilities.filter(({ id }) => id !== 'model.present'),
        },
      })),
    }
    const text = bookOf(plan(lab, moving.overlay, moving.plan.scenario), moving.plan)
    const line =
      text.split('\n').find((each) => each.startsWith('hf download ') && each.includes('Hermes')) ?? ''
    expect(line).toMatch(
      /^hf download org\/Big \S+ .*--revision abc123 --local-dir '?\/srv\/\S*models\/\S+'?$/,
    )
    const hermes = moving.plan.roles.find(({ role }) => role === 'hermes')
    for (const { path } of hermes?.manifest?.body.shards ?? []) expect(line).toContain(` ${path} `)
  })

  test('is named by what the plan decides, and by nothing else', () => {
    expect(planHash(moving.plan)).toMatch(/^[0-9a-f]{16}$/)
    expect(planHash({ ...moving.plan, problems: [] })).toBe(planHash(moving.plan))
    expect(planHash(standing.plan)).not.toBe(planHash(moving.plan))
  })
})

describe('the picture of the moves', () => {
  const moves: readonly Move[] = [
    { from: 'nas', to: 'a"b', bytes: 10n, models: ['m|1'] },
    { from: null, to: 'c', bytes: 5n, models: ['m2'] },
  ]

  test('has an arrow for each pair of nodes, as thick as its bytes, and no character that Mermaid acts on', () => {
    expect(movesMermaid(moves)).toEqual([
      'flowchart LR',
      '  n1["nas"]',
      '  n2["a#34;b"]',
      '  n3["Hugging Face"]',
      '  n4["c"]',
      '  n1 -->|"10 B: m#124;1"| n2',
      '  n3 -->|"5 B: m2"| n4',
      '  linkStyle 0 stroke-width:12.0px',
      '  linkStyle 1 stroke-width:6.0px',
    ])
    expect(arrowWidth({ from: 'x', to: 'y', bytes: 1n, models: [] }, moves, 2, 12)).toBe(2)
  })
})

describe('names of places', () => {
  test.each([
    ['example:latest', 'registry.ollama.ai/library/example/latest'],
    ['user/example:7b', 'registry.ollama.ai/user/example/7b'],
    ['hf.co/org/repo:Q4_K_M', 'hf.co/org/repo/Q4_K_M'],
    ['../etc:x', null],
    ['example', null],
  ])('the manifest of the tag %s is at %s', (tag, path) => {
    expect(ollamaTagPath(tag)).toBe(path)
  })

  test.each([
    ['/home/me/.cache/huggingface/hub', true],
    ['/data/models--org--name/snapshots/abc', true],
    ['/srv/models', false],
    ['/srv/huggingface/models', false],
  ])('%s is in a Hugging Face cache: %s', (folder, is) => {
    expect(isInHubCache(folder)).toBe(is)
  })
})
