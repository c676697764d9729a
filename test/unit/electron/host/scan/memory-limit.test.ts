import { expect, test } from 'vitest'
import { linuxMemoryLimit } from '../../../../../electron/host/scan/memory-limit.ts'
import { tempFolder, writeTree } from '../../../../support/temp-folder.ts'

test('the memory of a container is the least of its groups’, with the pages of read files free', async () => {
  const root = await tempFolder()
  await writeTree(root, {
    'proc/self/cgroup': '0::/pod/box\n',
    'sys/fs/cgroup/pod/memory.max': '4000000000\n',
    'sys/fs/cgroup/pod/memory.current': '3500000000\n',
    'sys/fs/cgroup/pod/memory.stat': 'anon 1\ninactive_file 3000000000\nactive_file 0\n',
    'sys/fs/cgroup/pod/box/memory.max': 'max\n',
  })
  expect(await linuxMemoryLimit(root)).toEqual({ total: 4_000_000_000n, free: 3_500_000_000n })
  await writeTree(root, {
    'sys/fs/cgroup/pod/box/memory.max': '2000000000',
    'sys/fs/cgroup/pod/box/memory.current': '100000000',
  })
  expect(await linuxMemoryLimit(root)).toEqual({ total: 2_000_000_000n, free: 1_900_000_000n })
})

test('a machine without control groups has no limit', async () => {
  expect(await linuxMemoryLimit(await tempFolder())).toBeNull()
})
