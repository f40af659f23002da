import { ApiProperty } from '@nestjs/swagger';
import { ChangeRequestView, ChangesView } from '../../content/index.js';

/** What a batch of changes to a change request came to. */
export class EditedChangeRequestView extends ChangesView {
  changeRequest!: ChangeRequestView;
}

/** What an update came to. */
export class UpdateResultView {
  /** Id of the revision of the change request that holds both contents. */
  revision!: string;
  @ApiProperty({ enum: ['update'] })
  result!: 'update';
}

/** What a merge came to. */
export class MergeResultView {
  /** Id of the revision of the space that holds both contents. */
  revision!: string;
  @ApiProperty({ enum: ['merge'] })
  result!: 'merge';
}
