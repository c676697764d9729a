import { describe, expect, test } from 'vitest'
import { controlGroupFolders, memoryLimitOf, withinLimit } from '../../../../shared/scan/control-group.ts'

const GIB = 2n ** 30n

describe('the limit of a control group', () => {
  test('leaves what is used but for the pages of files, which are given up', () => {
    const stat =
      'anon 104857600\nfile 1900000000\ninactive_file 1800000000\nactive_file 90000000\nshmem 10000000\n'
    const used = String(2_000_000_000)
    expect(memoryLimitOf({ limit: `${2n * GIB}\n`, used, stat })).toEqual({
      total: 2n * GIB,
      free: 2n * GIB - 110_000_000n,
    })
  })

  test('counts the groups below by the totals of the first version', () => {
    const stat = 'inactive_file 5\nactive_file 5\ntotal_inactive_file 300\ntotal_active_file 100\n'
    expect(memoryLimitOf({ limit: '1000', used: '700', stat })).toEqual({ total: 1000n, free: 700n })
  })

  test.each(['max', '', '9223372036854771712', '-1', 'x'])('is none in %j', (limit) => {
    expect(memoryLimitOf({ limit, used: '5', stat: '' })).toBeNull()
  })

  test('is never less than nothing, nor more than it is', () => {
    expect(memoryLimitOf({ limit: '10', used: '50', stat: '' })).toEqual({ total: 10n, free: 0n })
    expect(memoryLimitOf({ limit: '10', used: '5', stat: 'active_file 90' })).toEqual({
      total: 10n,
      free: 10n,
    })
  })

  test('counts where it is less than the machine has', () => {
    expect(withinLimit(100n, 50n, null)).toEqual({ total: 100n, free: 50n })
    expect(withinLimit(100n, 50n, { total: 200n, free: 10n })).toEqual({ total: 100n, free: 50n })
    expect(withinLimit(100n, 50n, { total: 80n, free: 60n })).toEqual({
      total: 80n,
      free: 50n,
      limited: true,
    })
  })
})

describe('the folders of control groups', () => {
  test('are those of both versions, with the groups around', () => {
    const text = '12:cpu,cpuacct:/x\n5:hugetlb,memory:/docker/abc\n0::/user.slice/a b.scope\n'
    expect(controlGroupFolders(text).map(({ folder, limit }) => `${folder} ${limit}`)).toEqual([
      '/sys/fs/cgroup/memory memory.limit_in_bytes',
      '/sys/fs/cgroup/memory/docker memory.limit_in_bytes',
      '/sys/fs/cgroup/memory/docker/abc memory.limit_in_bytes',
      '/sys/fs/cgroup memory.max',
      '/sys/fs/cgroup/user.slice memory.max',
      '/sys/fs/cgroup/user.slice/a b.scope memory.max',
    ])
  })

  test('are none of another text, and never outside', () => {
    expect(controlGroupFolders('nothing')).toEqual([])
    expect(
      controlGroupFolders('0::/../../etc').every(({ folder }) => folder.startsWith('/sys/fs/cgroup')),
    ).toBe(true)
  })
})
