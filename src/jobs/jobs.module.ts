import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { keeps } from '../database/index.js';
import { JOB_RECORDS } from './job.records.js';
import { JobRecord, JobSchema } from './job.schema.js';
import { Jobs } from './jobs.service.js';

/** Background jobs that survive a crash. */
@Module({
  imports: [MongooseModule.forFeature([{ name: JobRecord.name, schema: JobSchema }])],
  providers: [keeps(JOB_RECORDS), Jobs],
  exports: [Jobs],
})
export class JobsModule {}
