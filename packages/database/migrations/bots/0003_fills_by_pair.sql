ALTER TABLE "bots"."fills" DROP CONSTRAINT "fills_bot_id_id_pk";--> statement-breakpoint
ALTER TABLE "bots"."fills" ADD CONSTRAINT "fills_bot_id_pair_id_pk" PRIMARY KEY("bot_id","pair","id");