import { insertPage } from './insert-page.js';
import type { Ground, ReadyChange } from './ready-change.js';
import { revertPage } from './revert-page.js';
import type { Touched } from './touched.js';
import { updatePage } from './update-page.js';

/**
 * Applies one entry of a batch; answers what became of its page, or nothing for files.
 * @throws ContentError when the content rules refuse it.
 */
export async function applyChange(ground: Ground, ready: ReadyChange): Promise<Touched | undefined> {
  switch (ready.operation) {
    case 'insert_page':
      return insertPage(ground, ready);
    case 'update_page':
      return updatePage(ground, ready);
    case 'delete_page': {
      const [, ...below] = await ground.editor.deletePage(ready.change.page);
      return { kind: 'deleted', page: ready.change.page, below: below.map(({ id }) => id) };
    }
    case 'revert_page':
      return revertPage(ground, ready.change);
    case 'insert_files':
      for (const file of ready.files) await ground.editor.putFile(file);
      return undefined;
  }
}
