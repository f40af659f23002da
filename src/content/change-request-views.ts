import type { Space } from '../spaces/index.js';
import type { ChangeRequestView } from './change-request.view.js';

/** The question what change requests look like, which content asks where it shows where a merge came from. */
export abstract class ChangeRequestViews {
  /** Those of the change requests `ids` of `space` that are there, by id, as `user` sees them. */
  abstract views(
    space: Pick<Space, '_id' | 'revision'>,
    ids: readonly string[],
    user: string,
  ): Promise<Map<string, ChangeRequestView>>;
}
