import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

/** A process asks the others to let it write to a space first. */
@Schema({ collection: 'write_turns', timestamps: false, versionKey: false })
export class WriteTurn {
  /** Id of the space. */
  @Prop({ type: String }) _id!: string;
  /** The process that asks. */
  @Prop({ type: String, required: true }) holder!: string;
  /** When it no longer counts: whoever asked may have died. */
  @Prop({ type: Date, required: true }) until!: Date;
}

export const WriteTurnSchema = SchemaFactory.createForClass(WriteTurn);
WriteTurnSchema.index({ until: 1 }, { expireAfterSeconds: 60 }); // what a process that died has left
