import { ApiPropertyOptional } from '@nestjs/swagger';
import { ChangeRequestView, PAGE, type PageView } from '../../content/index.js';
import { CollectionView, SpaceView } from '../../spaces/index.js';

/** What an address in the application names: a collection, or a space with what is named in it. */
export class AppContentView {
  collection?: CollectionView;
  space?: SpaceView;
  changeRequest?: ChangeRequestView;
  @ApiPropertyOptional(PAGE)
  page?: PageView;
}
