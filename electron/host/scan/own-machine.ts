import { constants } from 'node:fs'
import { access, readdir, readFile } from 'node:fs/promises'
import systeminformation from 'systeminformation'
import { DF_ARGS, readDf, readMountPaths } from '../../../shared/scan/df-text.ts'
import { withinLimit } from '../../../shared/scan/control-group.ts'
import type { Gpu } from '../../../shared/scan/gpu-text.ts'
import { readJetson } from '../../../shared/scan/jetson.ts'
import type { ProbeResults } from '../../../shared/scan/probe-results.ts'
import type { Mount } from '../../../shared/scan/storage-tiers.ts'
import { errorCode } from '../system-error.ts'
import { runningServers } from './running-servers.ts'
import type { AskProgram } from './ask-program.ts'
import { linuxAmdCards } from './amd-cards.ts'
import { linuxMemoryLimit } from './memory-limit.ts'

/** What the machine itself says; each null when it does not in time. */
export interface MachineFacts {
  readonly cpu: () => Promise<ProbeResults['cpu']>
  readonly os: () => Promise<ProbeResults['os']>
  readonly memory: () => Promise<ProbeResults['memory']>
  readonly appleGpu: () => Promise<ProbeResults['appleGpu']>
  /** AMD GPUs by the files of their driver. */
  readonly amdCards: () => Promise<readonly Gpu[] | null>
  /** What the board says of a GPU of NVIDIA's on it. */
  readonly jetson: () => Promise<readonly Gpu[] | null>
  readonly gpuDevices: () => Promise<ProbeResults['gpuDevices']>
  readonly wiredLimit: () => Promise<ProbeResults['wiredLimit']>
  readonly mounts: () => Promise<readonly Mount[] | null>
  readonly servers: () => Promise<ProbeResults['servers']>
}

/** How long `df` may take before its file systems are asked one by one, in milliseconds. */
const DF_TIMEOUT_MS = 3000

/** This machine, by `systeminformation` and, where a question may hang, by programs that can be left behind. */
export function ownMachine(platform: NodeJS.Platform, arch: string, ask: AskProgram): MachineFacts {
  const isApple = platform === 'darwin' && arch === 'arm64'
  return {
    cpu: async () => {
      const { manufacturer, brand, cores } = await systeminformation.cpu()
      return { model: `${manufacturer} ${brand}`.trim(), cores }
    },
    os: async () => {
      const { distro, release, kernel } = await systeminformation.osInfo()
      return { version: `${distro} ${release}`.trim(), kernel }
    },
    memory: async () => {
      const { total, available } = await systeminformation.mem()
      if (total <= 0) return null
      const limit = platform === 'linux' ? await linuxMemoryLimit() : null
      return withinLimit(BigInt(total), BigInt(Math.max(0, Math.trunc(available))), limit)
    },
    appleGpu: async () => {
      // Asked of Apple chips alone: elsewhere the cards' own tools know more, and this takes seconds.
      if (!isApple) return null
      const { controllers } = await systeminformation.graphics()
      const own = controllers.find(({ vendor, model }) => /apple/i.test(`${vendor} ${model}`))
      if (own === undefined) return null
      const cores = Number(own.cores)
      return { device: own.model, cores: Number.isSafeInteger(cores) && cores > 0 ? cores : null }
    },
    amdCards: () => (platform === 'linux' ? linuxAmdCards() : Promise.resolve(null)),
    jetson: async () =>
      platform === 'linux' ? readJetson(await readFile('/proc/device-tree/model', 'utf8')) : null,
    gpuDevices: () => (platform === 'linux' ? linuxGpuDevices() : Promise.resolve(null)),
    wiredLimit: () => (isApple ? appleWiredLimit(ask) : Promise.resolve(null)),
    mounts: () => mountsOf(platform, ask),
    servers: () => runningServers(platform, ask),
  }
}

const PCI_VENDORS: Readonly<Record<string, string>> = { '0x10de': 'an NVIDIA GPU', '0x1002': 'an AMD GPU' }

/** GPUs that Linux lists, by their vendor: those that models run on. */
async function linuxGpuDevices(): Promise<readonly string[]> {
  const cards = await readdir('/sys/class/drm').catch((): string[] => [])
  const vendors = await Promise.all(
    cards
      .filter((name) => /^card\d+$/.test(name))
      .map((name) => readFile(`/sys/class/drm/${name}/device/vendor`, 'utf8').catch(() => '')),
  )
  const isThere = (path: string): Promise<boolean> =>
    access(path).then(
      () => true,
      () => false,
    )
  const found = new Set(vendors.flatMap((vendor) => PCI_VENDORS[vendor.trim()] ?? []))
  if (await isThere('/dev/kfd')) found.add('an AMD GPU')
  if ((await isThere('/dev/nvidia0')) || (await isThere('/proc/driver/nvidia/version')))
    found.add('an NVIDIA GPU')
  return [...found]
}

/** What was set by `sysctl iogpu.wired_limit_mb`; 0 is the default. */
async function appleWiredLimit(ask: AskProgram): Promise<bigint | null> {
  const answer = await ask('sysctl', ['-n', 'iogpu.wired_limit_mb'], DF_TIMEOUT_MS)
  if (answer.kind !== 'ended' || answer.exitCode !== 0 || !/^\d{1,9}\s*$/.test(answer.stdout)) return null
  const mebibytes = BigInt(answer.stdout.trim())
  return mebibytes === 0n ? null : mebibytes * 1024n * 1024n
}

async function mountsOf(platform: NodeJS.Platform, ask: AskProgram): Promise<readonly Mount[] | null> {
  if (platform !== 'linux' && platform !== 'darwin') {
    const sizes = await systeminformation.fsSize()
    return sizes.map(({ fs, mount, available }) => {
      return {
        source: fs,
        path: mount,
        freeBytes: BigInt(Math.max(0, Math.trunc(available))),
        writable: true,
      }
    })
  }
  const answer = await ask('df', DF_ARGS[platform], DF_TIMEOUT_MS)
  // It ends with a failure where any file system could not be asked; the lines of the others are good.
  const lines = answer.kind === 'ended' ? readDf(answer.stdout) : await dfEach(platform, ask)
  if (lines.length === 0) return null
  return Promise.all(
    lines.map(async ({ source, path, freeBytes }) => {
      // macOS mounts its sealed system at / for reading only; what is free there is what its data volume has.
      const writable = (platform === 'darwin' && path === '/') || (await isWritable(path))
      return { source, path, freeBytes, writable }
    }),
  )
}

/** The same for each file system by itself, so that one that does not answer takes no other with it. */
async function dfEach(platform: 'linux' | 'darwin', ask: AskProgram): Promise<ReturnType<typeof readDf>> {
  const mounts = await readFile('/proc/self/mounts', 'utf8').catch(() => '')
  const answers = await Promise.all(
    readMountPaths(mounts).map((path) => ask('df', [...DF_ARGS[platform], path], DF_TIMEOUT_MS)),
  )
  return answers.flatMap((answer) => (answer.kind === 'ended' ? readDf(answer.stdout) : []))
}

/**
 * Whether the file system at `path` takes anything: the system is asked, whatever is mounted there. That this
 * account may not write to its topmost folder says nothing of those below.
 */
async function isWritable(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK)
    return true
  } catch (error) {
    return errorCode(error) !== 'EROFS'
  }
}
