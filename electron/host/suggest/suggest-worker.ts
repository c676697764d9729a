import { parentPort, workerData } from 'node:worker_threads'
import { suggestFromTexts, type SuggestAnswer, type SuggestJob } from './suggest-from-texts.ts'

/** The thread that solves: it answers one job and ends. */
const answer: SuggestAnswer = await suggestFromTexts(workerData as SuggestJob)
parentPort?.postMessage(answer)
