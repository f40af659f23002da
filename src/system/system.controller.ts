import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Open } from '../auth/index.js';
import { buildInfo } from '../common/build-info.js';
import { Metrics } from './metrics.js';
import { VersionView } from './system.view.js';

@ApiTags('service')
@Controller()
export class SystemController {
  constructor(private readonly metrics: Metrics) {}

  /** Read the version of the service. */
  @Get('v1')
  @Open()
  getApiInformation(): VersionView {
    return buildInfo();
  }

  /** Read the metrics, for Prometheus. */
  @Get('metrics')
  @ApiOkResponse({ content: { 'text/plain': { schema: { type: 'string' } } } })
  async getMetrics(@Res() response: Response): Promise<void> {
    const { text, contentType } = await this.metrics.read();
    response.type(contentType).send(text);
  }
}
