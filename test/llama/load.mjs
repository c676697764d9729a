// Loads a GGUF file in llama.cpp under several contexts. A process of its own: what llama.cpp logs is read from its
// streams, and should it end the process, it ends no other.
const [entry = '', modelPath = '', trials = '[]'] = process.argv.slice(2)
const { getLlama } = await import(entry)
const llama = await getLlama({
  build: 'never',
  gpu: false,
  logLevel: 'debug',
  logger: (/** @type {string} */ _level, /** @type {string} */ text) => console.error(text),
})
const model = await llama.loadModel({ modelPath })
for (const trial of JSON.parse(trials)) {
  // Messages come by way of the event loop: those of the trial before are out after a turn.
  await new Promise((resolve) => setTimeout(resolve, 20))
  console.error('@@ trial')
  await model.createContext({
    contextSize: trial.context,
    sequences: trial.sequences,
    batchSize: trial.batch,
    flashAttention: true,
    experimentalKvCacheKeyType: trial.type.toUpperCase(),
    experimentalKvCacheValueType: trial.type.toUpperCase(),
    ignoreMemorySafetyChecks: true,
  })
}
await new Promise((resolve) => setTimeout(resolve, 20))
console.error('@@ done')
// Not taken apart: that has nothing to do with the sizes.
process.exit(0)
