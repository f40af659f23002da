// Checks the PDF of a space against its pages, with a reader that has nothing in common with what wrote it.
import { readFile } from 'node:fs/promises';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** The most memory that the process ever had, MiB. */
async function peakOf(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** Resolves with how long the slowest of the requests took that were made until `work` was done, ms. */
async function slowestDuring(work, request) {
  let slowest = 0;
  let done = false;
  const finished = work.finally(() => (done = true));
  while (!done) {
    const started = performance.now();
    await request();
    slowest = Math.max(slowest, performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await finished;
  return slowest;
}

const titlesOf = (items) => (items ?? []).flatMap((item) => [item, ...titlesOf(item.items)]);

/**
 * Has a PDF made of the space `space` and tells what it finds: printed pages, seconds, memory. `titles` are those of its
 * pages, in order; `check(holds, what)` notes what is wrong.
 */
export async function checkPdf({ call, service, space, titles, check }) {
  const before = await peakOf(service.pid);
  const { url } = await call('GET', `/v1/spaces/${space}/pdf`);
  const started = performance.now();
  let bytes;
  const making = fetch(service.url + new URL(url).pathname).then(async (response) => {
    check(response.ok, `the PDF is answered with ${response.status}`);
    bytes = new Uint8Array(await response.arrayBuffer());
  });
  const slowest = await slowestDuring(making, () => call('GET', `/v1/spaces/${space}`));
  const seconds = (performance.now() - started) / 1000;
  const grown = (await peakOf(service.pid)) - before;

  const size = bytes.length;
  // the reader takes the bytes over
  const task = getDocument({ data: bytes, verbosity: 0 });
  const pdf = await task.promise;
  const outline = titlesOf(await pdf.getOutline());
  check(
    outline.length === titles.length && outline.every(({ title }, index) => title === titles[index]),
    'the outline of the PDF is not the tree of the pages',
  );
  let last = 0;
  const printed = new Map();
  for (const { title, dest } of outline) {
    const place = typeof dest === 'string' ? await pdf.getDestination(dest) : dest;
    const number = place ? (await pdf.getPageIndex(place[0])) + 1 : 0;
    check(number >= last && number > 0, `${title}: its entry in the outline leads to page ${number}, after ${last}`);
    last = Math.max(last, number);
    if (!printed.has(number)) {
      const { items } = await (await pdf.getPage(Math.max(number, 1))).getTextContent();
      printed.set(
        number,
        items
          .map((item) => item.str ?? '')
          .join('')
          .replace(/\s/g, ''),
      );
    }
    check(printed.get(number).includes(title.replace(/\s/g, '')), `${title}: is not printed on page ${number}`);
  }
  console.log(
    `PDF: ${pdf.numPages} printed pages, ${outline.length} in the outline, ${(size / 1024).toFixed(0)} KiB in ` +
      `${seconds.toFixed(1)} s; memory grew by ${grown.toFixed(0)} MiB; the slowest other request took ${slowest.toFixed(0)} ms`,
  );
  const allowed = (20 * Math.max(pdf.numPages, 300)) / 300;
  check(seconds < allowed, `the PDF took longer than ${allowed.toFixed(0)} s`);
  check(grown < 400, 'the PDF took more than 400 MiB');
  await task.destroy();
}
