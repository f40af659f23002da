import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Fails } from '../common/fails.js';
import { mapPage, PageQuery } from '../common/page.dto.js';
import { Urls } from '../common/urls.js';
import { CurrentOrganization, type OrganizationAccess, RequireOrganization } from '../organizations/index.js';
import { DeliveriesService } from './deliveries.service.js';
import { toWebhookDelivery, WebhookDeliveryPage, WebhookDeliveryView } from './delivery.view.js';
import { CreateWebhookDto } from './dto/create-webhook.dto.js';
import { UpdateWebhookDto } from './dto/update-webhook.dto.js';
import { NewWebhookView, toWebhook, WebhookPage, WebhookView } from './webhook.view.js';
import { WebhooksService } from './webhooks.service.js';

@ApiTags('webhooks')
@Controller('v1/orgs/:organizationId/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly urls: Urls,
  ) {}

  /** List the webhooks of an organization. */
  @Get()
  @RequireOrganization('admin')
  async listWebhooks(
    @CurrentOrganization() { organization }: OrganizationAccess,
    @Query() query: PageQuery,
  ): Promise<WebhookPage> {
    return mapPage(await this.webhooks.list(organization._id, query), (webhook) => toWebhook(webhook, this.urls));
  }

  /** Add a webhook; the answer alone tells the secret that its deliveries are signed with. */
  @Post()
  @Fails(409)
  @RequireOrganization('admin')
  async createWebhook(
    @CurrentOrganization() { organization }: OrganizationAccess,
    @Body() body: CreateWebhookDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NewWebhookView> {
    const { webhook, secret } = await this.webhooks.create(organization._id, body);
    const view = toWebhook(webhook, this.urls);
    response.location(view.urls.location);
    return { ...view, secret };
  }

  /** Read a webhook. */
  @Get(':webhookId')
  @RequireOrganization('admin')
  async getWebhook(
    @CurrentOrganization() { organization }: OrganizationAccess,
    @Param('webhookId') webhookId: string,
  ): Promise<WebhookView> {
    return toWebhook(await this.webhooks.get(organization._id, webhookId), this.urls);
  }

  /** Update a webhook, or switch it on again. */
  @Patch(':webhookId')
  @RequireOrganization('admin')
  async updateWebhook(
    @CurrentOrganization() { organization }: OrganizationAccess,
    @Param('webhookId') webhookId: string,
    @Body() body: UpdateWebhookDto,
  ): Promise<WebhookView> {
    const webhook = await this.webhooks.get(organization._id, webhookId);
    return toWebhook(await this.webhooks.update(webhook, body), this.urls);
  }

  /** Remove a webhook with what was still to be delivered to it. */
  @Delete(':webhookId')
  @HttpCode(205)
  @RequireOrganization('admin')
  async deleteWebhook(
    @CurrentOrganization() { organization }: OrganizationAccess,
    @Param('webhookId') webhookId: string,
  ): Promise<void> {
    await this.webhooks.remove(await this.webhooks.get(organization._id, webhookId));
  }

  /** List what was delivered to a webhook in the last 30 days, or is to be, newest first. */
  @Get(':webhookId/deliveries')
  @RequireOrganization('admin')
  async listWebhookDeliveries(
    @CurrentOrganization() { organization }: OrganizationAccess,
    @Param('webhookId') webhookId: string,
    @Query() query: PageQuery,
  ): Promise<WebhookDeliveryPage> {
    const webhook = await this.webhooks.get(organization._id, webhookId);
    return mapPage(await this.deliveries.list(webhook, query), toWebhookDelivery);
  }

  /** Deliver once more what was delivered or given up. */
  @Post(':webhookId/deliveries/:deliveryId/redeliver')
  @HttpCode(200)
  @Fails(409)
  @RequireOrganization('admin')
  async redeliverWebhookDelivery(
    @CurrentOrganization() { organization }: OrganizationAccess,
    @Param('webhookId') webhookId: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<WebhookDeliveryView> {
    const webhook = await this.webhooks.get(organization._id, webhookId);
    return toWebhookDelivery(await this.deliveries.redeliver(webhook, deliveryId));
  }
}
