import { Injectable } from '@nestjs/common';

/** A question as an abstract class: its methods take ids and answer maps. */
export type Question<T extends object> = abstract new () => T;

/**
 * Lets a lower module ask what only a higher one knows. The lower module declares the question and says that it asks;
 * the higher one answers in `onModuleInit`. A question that nobody answers stops the start.
 */
@Injectable()
export class Answers {
  private readonly asked = new Set<Question<object>>();
  private readonly given = new Map<Question<object>, object>();

  /** Says that `question` is asked; answers how to ask it. Where a module may be missing, `otherwise` answers instead. */
  ask<T extends object>(question: Question<T>, otherwise?: T): () => T {
    if (!otherwise) this.asked.add(question);
    return () => {
      const answer = this.given.get(question) ?? otherwise;
      if (answer === undefined) throw unanswered(question);
      return answer as T;
    };
  }

  /** Has `answer` asked whenever `question` is. @throws Error when somebody answers it already. */
  give<T extends object>(question: Question<T>, answer: T): void {
    if (this.given.has(question)) throw new Error(`Two modules answer the question ${question.name}`);
    this.given.set(question, answer);
  }

  /** @throws Error for a question that nobody answers. */
  check(): void {
    for (const question of this.asked) if (!this.given.has(question)) throw unanswered(question);
  }
}

function unanswered(question: Question<object>): Error {
  return new Error(`No module answers the question ${question.name}`);
}
