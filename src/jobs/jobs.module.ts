import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { JobRecord, JobSchema } from './job.schema.js';
import { Jobs } from './jobs.service.js';

/** Background jobs that survive a crash. */
@Module({
  imports: [MongooseModule.forFeature([{ name: JobRecord.name, schema: JobSchema }])],
  providers: [Jobs],
  exports: [Jobs],
})
export class JobsModule {}
