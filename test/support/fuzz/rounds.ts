import fc from 'fast-check';
import type { DescribedAnswers } from '../described-answers.js';
import { mistakeIn } from './judging.js';
import { resolved } from './references.js';
import type { FuzzOperation, FuzzRequest, FuzzRequests } from './requests.js';
import { Scene, takesAway, type Surroundings } from './scene.js';

/** How much is sent. */
export interface Effort {
  /** Requests of each operation in a round. */
  requests: number;
  rounds: number;
  /** Rounds after which a scene is made anew: much has happened to it. */
  fresh: number;
  /** How often what an operation took away is made anew in a round. */
  restored: number;
  /** Scenes in which requests are sent at the same time. */
  lanes: number;
}

/** What the answers were. */
export interface Outcome {
  /** What was found, each with the seed that finds it again. */
  mistakes: string[];
  /** How often each status was answered, by operation. */
  statuses: Map<string, Map<number, number>>;
}

/** How much of a request is told. */
const TOLD = 1_500;

/** Sends requests of all operations, and judges what is answered. */
export class Rounds {
  private readonly outcome: Outcome = { mistakes: [], statuses: new Map() };
  private readonly seed = fc.readConfigureGlobal().seed ?? Date.now();
  private begun = 0;
  private readonly failed = new Set<FuzzOperation>();

  constructor(
    private readonly around: Surroundings,
    private readonly requests: FuzzRequests,
    private readonly answers: DescribedAnswers,
  ) {}

  /** All rounds of all operations, in an order of chance. */
  async run(operations: FuzzOperation[], effort: Effort): Promise<Outcome> {
    const { rounds, fresh, lanes } = effort;
    // those that are sent first stand last
    const queue = Array.from({ length: rounds }, () => ordered(operations)).flat();
    const other = (await Scene.make(this.around)).named;
    const lane = async (): Promise<void> => {
      let scene: Scene | undefined;
      for (let done = 0; ; done += 1) {
        const operation = queue.pop();
        if (!operation) return;
        if (!scene || done % fresh === 0) scene = await Scene.make(this.around, other);
        if (!this.failed.has(operation)) await this.round(scene, operation, effort);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    return this.outcome;
  }

  private async round(scene: Scene, operation: FuzzOperation, { requests, restored: limit }: Effort): Promise<void> {
    let restored = 0;
    const property = fc.asyncProperty(this.requests.of(operation), async (sent) => {
      if (restored < limit && (await scene.restore(operation))) restored += 1;
      await this.try(scene, operation, sent);
    });
    const seed = this.seed + this.begun;
    this.begun += 1;
    const run = await fc.check(property, { numRuns: requests, seed });
    if (limit > 0) await scene.restore(operation);
    if (!run.failed) return;
    this.failed.add(operation);
    const [sent] = run.counterexample ?? [];
    const reason = run.errorInstance instanceof Error ? run.errorInstance.message : String(run.errorInstance);
    this.outcome.mistakes.push(
      `${operation.name}: ${reason}\n  ${told(sent)}\n  seed ${String(run.seed)}, path ${run.counterexamplePath ?? ''}`,
    );
  }

  private async try(scene: Scene, operation: FuzzOperation, sent: FuzzRequest): Promise<void> {
    const address = resolved(sent.path, scene.named);
    const answer = await scene.send(sent, operation);
    const statuses = this.outcome.statuses.get(operation.name) ?? new Map<number, number>();
    this.outcome.statuses.set(operation.name, statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1));
    const mistake = mistakeIn(answer, sent, { operation, answers: this.answers, address });
    if (mistake !== undefined) throw new Error(mistake);
  }
}

function told(sent: FuzzRequest | undefined): string {
  if (!sent) return '';
  const body = Buffer.isBuffer(sent.body) ? `0x${sent.body.toString('hex')}` : sent.body;
  return JSON.stringify({ ...sent, body }).slice(0, TOLD);
}

/** In an order of chance, from the end; those that take something away come last, first what stands in something else. */
function ordered(operations: FuzzOperation[]): FuzzOperation[] {
  const parts = ({ path }: FuzzOperation): number => path.split('/').length;
  const taking = operations.filter(takesAway).toSorted((one, other) => parts(one) - parts(other));
  return [...taking, ...shuffled(operations.filter((one) => !takesAway(one)))];
}

function shuffled<T>(items: T[]): T[] {
  const [order] = fc.sample(fc.shuffledSubarray(items, { minLength: items.length }), 1);
  return order ?? items;
}
