import { NVIDIA_SMI_ARGS, ROCM_SMI_ARGS } from '../scan/gpu-text.ts'
import { RUNTIME_PROBES } from '../scan/version-text.ts'

/** What the script asks programs, by the name of each; the same that a scan on the machine itself asks. */
const ASKED: readonly (readonly [string, readonly string[]])[] = [
  ['nvidia-smi', NVIDIA_SMI_ARGS],
  ['rocm-smi', ROCM_SMI_ARGS],
  ...RUNTIME_PROBES.map(({ command, args }) => [command, args] as const),
]

/**
 * A POSIX shell script, read from standard input, that says what a machine is: for a machine without Node and without
 * the planner. Lines of the answer are `@MARK SECTION text`; `SECTION.exit` has the exit code of a program, and a section
 * without it is of a program that is not there. It writes no file, starts nothing that stays and needs no other tool
 * than `sed`.
 */
export function hardwareScript(mark: string): string {
  const programs = ASKED.map(([command, args]) => `run ${[command, ...args].map(quoted).join(' ')}`)
  return `m=${mark}
LC_ALL=C
PATH="$PATH:$HOME/.local/bin:/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin:/usr/sbin:/sbin:/opt/rocm/bin:/usr/lib/wsl/lib:/usr/local/cuda/bin:/snap/bin"
export PATH LC_ALL
t=
if command -v timeout >/dev/null 2>&1; then t='timeout 10'; fi
say() { sed "s|^|@$m $1 |"; }
run() {
  n=$1
  command -v "$n" >/dev/null 2>&1 || return 0
  o=$($t "$@" 2>&1 </dev/null)
  c=$?
  printf '%s\\n' "$o" | say "$n"
  echo "@$m $n.exit $c"
}
show() { if [ -r "$2" ]; then say "$1" <"$2"; fi; }
uname -s | say system
uname -m | say arch
uname -r | say kernel
show release /etc/os-release
show meminfo /proc/meminfo
group() {
  d=$1
  while :; do
    case $(sed 1q "$d/$3" 2>/dev/null) in
    '' | max | 9223372036854771712) ;;
    *)
      show limit "$d/$3"
      show used "$d/$4"
      show stat "$d/memory.stat"
      return
      ;;
    esac
    case $d in "$2"/*) d=\${d%/*} ;; *) return ;; esac
  done
}
v1=
v2=
if [ -r /proc/self/cgroup ]; then
  while IFS=: read -r _ c p; do
    case ,$c, in ,,) v2=$p ;; *,memory,*) v1=$p ;; esac
  done </proc/self/cgroup
fi
group "/sys/fs/cgroup\${v2%/}" /sys/fs/cgroup memory.max memory.current
group "/sys/fs/cgroup/memory\${v1%/}" /sys/fs/cgroup/memory memory.limit_in_bytes memory.usage_in_bytes
show mounts /proc/self/mounts
show cpuinfo /proc/cpuinfo
for f in /sys/class/drm/card*/device/vendor; do show vendor "$f"; done
for d in /sys/class/drm/card*; do
  if [ -r "$d/device/mem_info_vram_total" ]; then
    n=\${d##*/}
    for k in vram_total vram_used gtt_total gtt_used; do
      if [ -r "$d/device/mem_info_$k" ]; then sed "s|^|$n $k |" "$d/device/mem_info_$k" | say amd; fi
    done
    if [ -r "$d/device/uevent" ]; then sed -n "s|^PCI_SLOT_NAME=|$n slot |p" "$d/device/uevent" | say amd; fi
  fi
done
for d in /sys/class/kfd/kfd/topology/nodes/*; do
  n=kfd\${d##*/}
  if [ -r "$d/properties" ]; then
    sed -n -e "s|^gfx_target_version |$n gfx |p" -e "s|^location_id |$n location |p" -e "s|^domain |$n domain |p" "$d/properties" | say amd
  fi
done
if [ -r /proc/device-tree/model ]; then { tr -d '\\0' </proc/device-tree/model; echo; } | say board; fi
for f in /dev/kfd /dev/nvidia0; do if [ -e "$f" ]; then echo "@$m device $f"; fi; done
case $(uname -s) in
Darwin)
  run sw_vers -productVersion
  for k in hw.memsize hw.ncpu machdep.cpu.brand_string iogpu.wired_limit_mb; do sysctl -n $k 2>/dev/null | say "$k"; done
  run vm_stat
  run df -kP
  ;;
*) run df -kPT ;;
esac
${programs.join('\n')}
echo "@$m end"
`
}

/** A word of ours for the shell. */
function quoted(word: string): string {
  return `'${word}'`
}

/** What the script said, by section: its lines, in order. */
export type HardwareSections = ReadonlyMap<string, readonly string[]>

/** Gathers lines of {@link hardwareScript} (without their mark) by section. */
export function hardwareSections(lines: readonly string[]): HardwareSections {
  const sections = new Map<string, string[]>()
  for (const line of lines) {
    const [, name, text] = /^(\S+) ?(.*)$/s.exec(line) ?? []
    if (name === undefined || text === undefined) continue
    const known = sections.get(name)
    if (known) known.push(text)
    else sections.set(name, [text])
  }
  return sections
}
