import { expect, test } from 'vitest'
import {
  ownBytesOfStatus,
  readNvidiaApps,
  readPs,
  serversAmong,
  type MachineProcess,
} from '../../../../shared/scan/server-processes.ts'

const process = (pid: number, parent: number, command: string, systemBytes = 0n): MachineProcess => {
  return { pid, parent, command: command.split(' '), systemBytes }
}

test('finds each kind of server, its port and the file name of its model, and reads no key', () => {
  const servers = serversAmong(
    [
      process(1, 0, '/usr/bin/llama-server -m /srv/a/mid-30b.gguf --port 8090 --api-key hunter2'),
      process(2, 0, 'llama-server --model=/srv/b.gguf'),
      process(3, 0, 'python3 -m mlx_lm server --model /srv/mlx/Qwen --port=8081'),
      process(4, 0, '/opt/venv/bin/python3 /opt/venv/bin/mlx_lm.server --model /srv/Q'),
      process(5, 0, '/usr/bin/ollama serve'),
      process(6, 5, '/usr/bin/ollama runner --model /var/lib/ollama/blobs/sha256-ff --port 45123'),
      process(7, 0, 'vllm serve org/model --port 9000'),
      process(10, 0, 'python3 -m llama_cpp.server --model /srv/c.gguf'),
      process(11, 0, 'python3 -m sglang.launch_server --model-path org/m --port 30001'),
      process(12, 0, '/opt/koboldcpp-linux-x64 --model /srv/k.gguf'),
      process(8, 0, 'vim llama-server'),
      process(9, 0, 'python3 train.py --model x --port 8090'),
    ],
    new Map([1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12].map((pid) => [pid, BigInt(pid)])),
    'accelerator',
  )
  expect(
    servers.map(({ pid, process: name, port, model, bytes }) => [pid, name, port, model, bytes]),
  ).toEqual([
    [1, 'llama-server', 8090, 'mid-30b.gguf', 1n],
    [2, 'llama-server', null, 'b.gguf', 2n],
    [3, 'mlx_lm.server', 8081, 'Qwen', 3n],
    [4, 'mlx_lm.server', 8080, 'Q', 4n],
    [6, 'ollama', 11434, 'sha256-ff', 6n],
    [7, 'vllm', 9000, 'model', 7n],
    [10, 'llama_cpp.server', 8000, 'c.gguf', 10n],
    [11, 'sglang', 30001, 'm', 11n],
    [12, 'koboldcpp', 5001, 'k.gguf', 12n],
  ])
  expect(
    JSON.stringify(servers, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
  ).not.toContain('hunter2')
})

test('what a server’s children hold is its own, and a server that it started stands for itself', () => {
  const servers = serversAmong(
    [
      process(1, 0, 'vllm serve m', 1n),
      process(2, 1, 'VLLM::EngineCore', 10n),
      process(3, 2, 'VLLM::Worker', 100n),
      process(4, 0, '/usr/bin/llama-swap --config x', 5n),
      process(5, 4, 'llama-server -m a.gguf --port 5801', 7n),
    ],
    new Map([[3, 1000n]]),
    'unified',
  )
  expect(servers.map(({ bytes }) => bytes)).toEqual([1111n, 7n])
})

test('on a machine with memory on its cards, the system’s memory does not count', () => {
  const [server] = serversAmong([process(1, 0, 'llama-server', 99n)], new Map([[1, 5n]]), 'accelerator')
  expect(server?.bytes).toBe(5n)
})

test('a process tree that leads back to itself ends', () => {
  expect(serversAmong([process(1, 1, 'llama-server', 3n)], new Map(), 'unified')[0]?.bytes).toBe(3n)
})

test('reads what tools list: a process on two cards once, figures that are none as nothing', () => {
  expect([...readNvidiaApps('123, 1024\n123, 1\n4, [N/A]\nwarning\n 7, 2 MiB\n')]).toEqual([
    [123, 1025n * 2n ** 20n],
    [7, 2n * 2n ** 20n],
  ])
  expect(readPs('  12     1  2048 /opt/homebrew/bin/llama-server -m /x y.gguf\nnonsense\n')).toEqual([
    {
      pid: 12,
      parent: 1,
      command: ['/opt/homebrew/bin/llama-server', '-m', '/x', 'y.gguf'],
      systemBytes: 2n ** 21n,
    },
  ])
})

test('pages of mapped files count as free, so they are not a server’s own', () => {
  expect(
    ownBytesOfStatus('VmRSS:\t  900 kB\nRssAnon:\t  100 kB\nRssFile:\t  700 kB\nRssShmem:\t  20 kB\n'),
  ).toBe(120n * 1024n)
})
