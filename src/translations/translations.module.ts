import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../audit/index.js';
import { keeps } from '../database/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { TranslationSettings, TranslationSettingsSchema } from './translation-settings.schema.js';
import { TRANSLATION_RECORDS } from './translation.records.js';
import { TranslationsController } from './translations.controller.js';
import { TranslationsService } from './translations.service.js';

/** Translation settings of organizations. */
@Module({
  imports: [
    AuditModule,
    OrganizationsModule,
    MongooseModule.forFeature([{ name: TranslationSettings.name, schema: TranslationSettingsSchema }]),
  ],
  controllers: [TranslationsController],
  providers: [keeps(TRANSLATION_RECORDS), TranslationsService],
})
export class TranslationsModule {}
