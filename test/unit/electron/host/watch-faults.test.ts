import { describe, expect, test } from 'vitest'
import { remoteFaultBy, type DriveQuestions } from '../../../../electron/host/watch-faults.ts'

const MOUNTS = `/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
devfs on /dev (devfs, local, nobrowse)
map auto_home on /System/Volumes/Data/home (autofs, automounted, nobrowse)
//me@nas._smb._tcp.local/lab (old) on /Volumes/lab (old) (smbfs, nodev, nosuid, mounted by me)
nas:/export on /Volumes/export (nfs, nodev)
/dev/disk5s1 on /Volumes/export/local disk (apfs, local, nodev)
`

function ask(answers: Partial<DriveQuestions>): DriveQuestions {
  const none = () => Promise.reject(new Error('not asked'))
  return {
    platform: 'linux',
    realpath: (folder) => Promise.resolve(folder),
    fileSystem: none,
    mounts: none,
    ...answers,
  }
}

describe('a lab on a network drive', () => {
  test.each([
    ['/Volumes/lab (old)', 'SMB'],
    ['/Volumes/lab (old)/docs', 'SMB'],
    ['/Volumes/export/a', 'NFS'],
    ['/Volumes/export/local disk/a', null],
    ['/Volumes/exported', null],
    ['/Users/me/llm', null],
  ])('is known on macOS by what is mounted: %s', async (folder, name) => {
    const fault = await remoteFaultBy(ask({ platform: 'darwin', mounts: () => Promise.resolve(MOUNTS) }))(
      folder,
    )
    expect(fault).toBe(name && `the lab is on a network drive (${name}), which does not report changes`)
  })

  test('is known on Windows by its share, also behind the letter of a drive', async () => {
    const realpath = (folder: string) => Promise.resolve(folder.replace(/^Z:/, '\\\\nas\\lab'))
    const fault = remoteFaultBy(ask({ platform: 'win32', realpath }))
    expect(await fault('Z:\\docs')).toContain('a share')
    expect(await fault('\\\\nas\\lab\\docs')).toContain('a share')
    expect(await fault('C:\\docs')).toBeNull()
  })

  test('is known on Linux by the number of its file system', async () => {
    expect(await remoteFaultBy(ask({ fileSystem: () => Promise.resolve(0x6969) }))('/mnt')).toContain('NFS')
    expect(await remoteFaultBy(ask({ fileSystem: () => Promise.resolve(0xff534d42 | 0) }))('/mnt')).toContain(
      'SMB',
    )
    expect(await remoteFaultBy(ask({ fileSystem: () => Promise.resolve(0xef53) }))('/mnt')).toBeNull()
  })

  test('is not claimed where the system gives no answer', async () => {
    for (const platform of ['linux', 'darwin', 'win32', 'freebsd'] as const) {
      const realpath = () => Promise.reject(new Error('gone'))
      expect(await remoteFaultBy(ask({ platform, realpath }))('/mnt')).toBeNull()
    }
  })
})
