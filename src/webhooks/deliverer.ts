import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '../jobs/index.js';
import { DeliveryAttempts } from './attempts.service.js';
import type { WebhookDelivery } from './delivery.schema.js';
import { type HeldLane, WebhookLanes } from './lanes.service.js';
import { WebhookSender } from './sender.js';
import { WebhookHealth } from './webhook-health.service.js';
import type { Webhook } from './webhook.schema.js';

/** How often lanes are looked for that nobody here knows of, in ms: what a crash left, or what waited for long. */
const INTERVAL = 30_000;
/** Lanes that a process delivers at a time. */
const SLOTS = 16;
/** Those of them that may be of one webhook, so that one that is slow does not hold up the others. */
const SLOTS_OF_ONE = 4;
/** Deliveries of one lane before others have their turn. */
const TURN = 100;

/** How an attempt to deliver went; `failed`: it is made again, `given-up`: it was the last. */
export interface DeliveryReport {
  outcome: 'delivered' | 'failed' | 'given-up';
  ms: number;
}

/**
 * Delivers what waits, in all processes together: at once where it was written, at the time of the next attempt where the last
 * one failed, and every half a minute what nobody has in mind. What was sent and not written down, because the process died,
 * is sent again. The service starts it; the command line does not.
 */
@Injectable()
export class WebhookDeliverer implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('WebhookDeliverer');
  private readonly running = new Map<HeldLane, Promise<void>>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly observers: ((report: DeliveryReport) => void)[] = [];
  private readonly stopping = new AbortController();
  private looking: Promise<void> | undefined;
  private again = false;
  private started = false;

  constructor(
    private readonly lanes: WebhookLanes,
    private readonly attempts: DeliveryAttempts,
    private readonly health: WebhookHealth,
    private readonly sender: WebhookSender,
    private readonly jobs: Jobs,
  ) {}

  /** Says when it looks. */
  onModuleInit(): void {
    this.jobs.every('deliver-webhooks', INTERVAL, async () => {
      this.wake();
      await this.looking;
    });
  }

  /** From now on delivers what is written here. */
  start(): void {
    this.started = true;
  }

  /** Has `observer` told of every attempt of this process. */
  observe(observer: (report: DeliveryReport) => void): void {
    this.observers.push(observer);
  }

  /** Has what is due delivered; answers at once. Nothing happens where it was not started. */
  wake(): void {
    if (!this.started) return;
    this.again = true;
    this.looking ??= this.look()
      .catch((error: unknown) => {
        // what waits stays written down: the next look finds it
        this.again = false;
        this.logger.error({ err: error });
      })
      .finally(() => {
        this.looking = undefined;
        // somebody may have asked when the look had just ended
        if (this.again) this.wake();
      });
  }

  /** Begins no more, breaks off what is under way, and waits for that: it is attempted again by somebody else. */
  async onModuleDestroy(): Promise<void> {
    this.started = false;
    this.stopping.abort();
    for (const timer of this.timers) clearTimeout(timer);
    await this.looking;
    await Promise.all(this.running.values());
  }

  /** Takes what lanes are due, as long as there is room. */
  private async look(): Promise<void> {
    while (this.again) {
      this.again = false;
      while (this.started && this.running.size < SLOTS) {
        const lane = await this.lanes.take(this.busy());
        if (!lane) break;
        this.running.set(lane, this.follow(lane));
      }
    }
  }

  /** Webhooks that have all the room here that one may have. */
  private busy(): string[] {
    const counts = new Map<string, number>();
    for (const { webhook } of this.running.keys()) counts.set(webhook, (counts.get(webhook) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= SLOTS_OF_ONE).map(([webhook]) => webhook);
  }

  private async follow(lane: HeldLane): Promise<void> {
    try {
      await this.work(lane);
    } catch (error) {
      // the lane is free again after a while
      this.logger.error({ err: error, webhook: lane.webhook });
    } finally {
      this.running.delete(lane);
      this.wake();
    }
  }

  /** Delivers what waits in a lane, one after the other, until one fails. */
  private async work(taken: HeldLane): Promise<void> {
    let lane: HeldLane | null = taken;
    for (let turn = 0; lane && turn < TURN; turn += 1) {
      const webhook = await this.health.find(lane.webhook);
      if (!webhook) return this.drop(lane);
      const delivery = await this.attempts.first(lane);
      if (!delivery) {
        if (await this.lanes.rest(lane)) return;
      } else if (!webhook.active) {
        while ((await this.attempts.giveUp(lane, 'The webhook was switched off')) > 0);
      } else {
        const next = await this.attempt(webhook, delivery, lane.sequence - delivery.sequence);
        if (next) return this.leave(lane, next);
      }
      lane = await this.lanes.keep(lane);
    }
    if (lane) await this.lanes.leave(lane, new Date());
  }

  /** Attempts a delivery that others wait for; answers when it is to be attempted again, nothing when it is over. */
  private async attempt(webhook: Webhook, delivery: WebhookDelivery, waiting: number): Promise<Date | null> {
    const { signal } = this.stopping;
    const begun = performance.now();
    const outcome = await this.sender.send(webhook, delivery, signal);
    // what was broken off here says nothing about the address
    if (signal.aborted && outcome.error !== null) return new Date();
    const { status, retryAt } = await this.attempts.settle(delivery, outcome);
    const givenUp = status === 'failed';
    if (status === 'delivered') await this.health.recovered(webhook);
    const failure = { status: outcome.answer?.status, givenUp, waiting };
    const off = status !== 'delivered' && (await this.health.failed(webhook, failure));
    const ms = performance.now() - begun;
    for (const observer of this.observers) {
      observer({ outcome: status === 'delivered' ? 'delivered' : givenUp ? 'given-up' : 'failed', ms });
    }
    return off ? null : retryAt;
  }

  /** Lets go of a lane until `dueAt`, and comes back then where that is before somebody would look. */
  private async leave(lane: HeldLane, dueAt: Date): Promise<void> {
    await this.lanes.leave(lane, dueAt);
    const delay = dueAt.getTime() - Date.now();
    if (!this.started || delay >= INTERVAL) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.wake();
    }, delay).unref();
    this.timers.add(timer);
  }

  private async drop(lane: HeldLane): Promise<void> {
    while ((await this.attempts.removeFrom(lane)) > 0);
    await this.lanes.remove(lane);
  }
}
