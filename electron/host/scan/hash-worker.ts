import { parentPort } from 'node:worker_threads'
import { runHashThread } from './hash-thread.ts'

/** A thread that hashes files, as an entry of its own. */
if (parentPort !== null) runHashThread(parentPort)
