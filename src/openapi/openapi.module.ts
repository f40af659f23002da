import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../audit/index.js';
import { BlobsModule } from '../blobs/index.js';
import { keeps } from '../database/index.js';
import { JobsModule } from '../jobs/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { OutboundModule } from '../outbound/index.js';
import { Describer } from './description/describer.js';
import { OpenApiInvariants } from './openapi.invariants.js';
import { OpenApiSpec, OpenApiSpecSchema } from './openapi-spec.schema.js';
import { OpenApiSpecsController } from './openapi-specs.controller.js';
import { OpenApiSpecs } from './openapi-specs.service.js';
import { OpenApiVersion, OpenApiVersionSchema } from './openapi-version.schema.js';
import { OpenApiVersionsController } from './openapi-versions.controller.js';
import { OpenApiVersions } from './openapi-versions.service.js';
import { OPENAPI_RECORDS } from './openapi.records.js';
import { SpecProcessing } from './spec-processing.js';
import { SpecProcessor } from './spec-processor.js';
import { SpecQueue } from './spec-queue.js';

/** Descriptions of APIs: where they come from, and what they said when. */
@Module({
  imports: [
    AuditModule,
    BlobsModule,
    JobsModule,
    OrganizationsModule,
    OutboundModule,
    MongooseModule.forFeature([
      { name: OpenApiSpec.name, schema: OpenApiSpecSchema },
      { name: OpenApiVersion.name, schema: OpenApiVersionSchema },
    ]),
  ],
  controllers: [OpenApiSpecsController, OpenApiVersionsController],
  providers: [
    keeps(OPENAPI_RECORDS),
    Describer,
    OpenApiInvariants,
    OpenApiSpecs,
    OpenApiVersions,
    SpecProcessing,
    SpecProcessor,
    SpecQueue,
  ],
  exports: [OpenApiSpecs],
})
export class OpenApiModule {}
