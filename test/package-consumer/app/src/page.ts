import { results, type Results } from './results.js';

/** The results of this thread, of a worker, and of a second one after the first has ended. */
async function inThreads(): Promise<Results[]> {
  const found = [await results()];
  for (let round = 0; round < 2; round++) {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    found.push(
      await new Promise<Results>((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data as Results);
        worker.onerror = ({ message }) => reject(new Error(message));
      }),
    );
    worker.terminate();
  }
  return found;
}

const output = document.createElement('output');
document.body.append(output);
inThreads().then(
  (found) => (output.textContent = JSON.stringify(found)),
  (error: unknown) => (output.textContent = String(error)),
);
