import { Document } from '../errors.js';

/** Where a pipeline reads other collections of its database. */
export interface PipelineSource {
  /** The documents, promoted, of a collection that match a filter; none if there is no such collection. */
  find(collection: string, filter: Document): Document[];
}

/** One stage at work: documents in, documents out. What it is given it leaves as it is. */
export type Stage = (input: Iterable<Document>, source: PipelineSource) => Iterable<Document>;

/** A checked pipeline: the documents that its leading `$match` stages ask for, and the rest of the stages as one. */
export interface SubPipeline {
  filter: Document;
  rest: Stage;
}

/** What a stage needs to be compiled: the variables of its expressions, and how to compile a pipeline within. */
export interface StageScope {
  variables: Document;
  pipeline: (stages: unknown, variables: Document, within: string) => SubPipeline;
}

/** How the part of a stage after its name becomes a stage. @throws EngineError for what is malformed or not supported. */
export type CompileStage = (spec: unknown, scope: StageScope) => Stage;

/** A stage that treats each document by itself. */
export function mapping(change: (doc: Document) => Document): Stage {
  return function* (input) {
    for (const doc of input) yield change(doc);
  };
}
