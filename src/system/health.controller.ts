import { Controller, Get, HttpException } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Open, Uncounted } from '../auth/index.js';
import { Database } from '../database/index.js';
import { HealthView } from './system.view.js';
import { Lifecycle } from './lifecycle.js';

/** Longest that the database may take to answer before the service counts as not ready, in ms. */
const PATIENCE = 2000;

@ApiTags('service')
@Controller('health')
@Open()
@Uncounted()
export class HealthController {
  constructor(
    private readonly database: Database,
    private readonly lifecycle: Lifecycle,
  ) {}

  /** Tell whether the process runs. */
  @Get('live')
  getLiveness(): HealthView {
    return { status: 'ok' };
  }

  /** Tell whether requests can be served: the database answers and the service is not shutting down. */
  @Get('ready')
  async getReadiness(): Promise<HealthView> {
    const unavailable = (message: string) => new HttpException({ message, headers: { 'Retry-After': '2' } }, 503);
    if (this.lifecycle.draining) throw unavailable('The service is shutting down');
    if (!(await this.hasDatabase())) throw unavailable('The database cannot be reached');
    return { status: 'ok' };
  }

  private async hasDatabase(): Promise<boolean> {
    const late = new Promise<never>((_resolve, reject) => {
      setTimeout(() => {
        reject(new Error('no answer'));
      }, PATIENCE).unref();
    });
    try {
      await Promise.race([this.database.ping(PATIENCE), late]);
      return true;
    } catch {
      return false;
    }
  }
}
