CREATE TABLE "bots"."halts" (
	"id" serial PRIMARY KEY NOT NULL,
	"bot_id" text NOT NULL,
	"pair" text,
	"close" boolean NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "bots"."keys" ADD COLUMN "account" text;--> statement-breakpoint
ALTER TABLE "bots"."halts" ADD CONSTRAINT "halts_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "bots"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "halts_bot" ON "bots"."halts" USING btree ("bot_id");