"""What the review keeps, and a trail that neither database lets anybody change."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


# What there was before: standings moved when they were last reached, and runs that have ended wait for the desk, to be
# verified anew with their matches.
FILL = [
    "UPDATE tournament_standing SET moved_at = reached_at",
    "UPDATE tournament_flag SET about = substr(reason, 1, 60), evidence = reason",
    """UPDATE tournament_scoredrun SET is_waiting = (ended_at IS NOT NULL), checked_at = NULL,
    is_flagged = EXISTS (SELECT 1 FROM tournament_flag flag WHERE flag.run_id = tournament_scoredrun.run_id)""",
]
PROTECTED = ("decision", "secondlook", "flag")
REFUSAL = "the trail of the review is only ever added to"
POSTGRES = (
    f"""CREATE FUNCTION tournament_refuse_change() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'integrity_constraint_violation'; END $$""",
    *(
        f"""CREATE TRIGGER {table}_only_grows BEFORE UPDATE OR DELETE ON tournament_{table}
        FOR EACH ROW EXECUTE FUNCTION tournament_refuse_change()"""
        for table in PROTECTED
    ),
    # Whoever really clears a database, as tests do after each other, says so: -c cvarenta.may_clear=on; anybody can say
    # it, so only a superuser is believed.
    f"""CREATE FUNCTION tournament_refuse_clearing() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN IF coalesce(current_setting('cvarenta.may_clear', true), '') <> 'on'
    OR NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'integrity_constraint_violation'; END IF; RETURN NULL; END $$""",
    *(
        f"""CREATE TRIGGER {table}_is_not_cleared BEFORE TRUNCATE ON tournament_{table}
        FOR EACH STATEMENT EXECUTE FUNCTION tournament_refuse_clearing()"""
        for table in PROTECTED
    ),
)
# INSERT OR REPLACE removes a row without a trigger for it.
TAKEN = {
    "decision": "id = NEW.id OR run_id = NEW.run_id AND number = NEW.number",
    "secondlook": "id = NEW.id OR run_id = NEW.run_id",
    "flag": "id = NEW.id OR run_id = NEW.run_id AND kind = NEW.kind AND about = NEW.about",
}
SQLITE = [
    f"""CREATE TRIGGER {table}_is_not_{done} BEFORE {event} ON tournament_{table}
    BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"""
    for table in PROTECTED
    for event, done in (("UPDATE", "changed"), ("DELETE", "removed"))
] + [
    f"""CREATE TRIGGER {table}_is_not_replaced BEFORE INSERT ON tournament_{table}
    WHEN EXISTS (SELECT 1 FROM tournament_{table} WHERE {taken})
    BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"""
    for table, taken in TAKEN.items()
]


def protect(apps, schema_editor):
    for statement in POSTGRES if schema_editor.connection.vendor == "postgresql" else SQLITE:
        schema_editor.execute(statement, None)


def unprotect(apps, schema_editor):
    """On SQLite a trigger goes with its table."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP FUNCTION tournament_refuse_change() CASCADE", None)
        schema_editor.execute("DROP FUNCTION tournament_refuse_clearing() CASCADE", None)


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0002_fiestas_de_quito_2026'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Decision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text="Of the run's decisions, from 1", verbose_name='número')),
                ('action', models.CharField(choices=[('approve', 'Aprobar'), ('annul', 'Anular'), ('restore', 'Restituir')], max_length=7, verbose_name='decisión')),
                ('reason', models.CharField(blank=True, max_length=500, verbose_name='motivo')),
                ('by_id', models.BigIntegerField()),
                ('by_name', models.CharField(max_length=150, verbose_name='por')),
                ('at', models.DateTimeField(verbose_name='cuándo')),
                ('state_before', models.CharField(choices=[('waiting', 'Por revisar'), ('approved', 'Aprobada'), ('annulled', 'Anulada')], max_length=8, verbose_name='estado antes')),
                ('state_after', models.CharField(choices=[('waiting', 'Por revisar'), ('approved', 'Aprobada'), ('annulled', 'Anulada')], max_length=8, verbose_name='estado después')),
                ('points_before', models.PositiveIntegerField(verbose_name='puntos antes')),
                ('points_after', models.PositiveIntegerField(verbose_name='puntos después')),
            ],
            options={
                'verbose_name': 'decisión',
                'verbose_name_plural': 'decisiones',
            },
        ),
        migrations.CreateModel(
            name='SecondLook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(blank=True, max_length=500, verbose_name='qué pide')),
                ('at', models.DateTimeField(verbose_name='cuándo')),
            ],
            options={
                'verbose_name': 'segunda mirada',
                'verbose_name_plural': 'segundas miradas',
            },
        ),
        migrations.CreateModel(
            name='Trace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('device', 'aparato'), ('address', 'dirección')], max_length=8)),
                ('digest', models.CharField(max_length=64)),
                ('at', models.DateTimeField(verbose_name='cuándo')),
            ],
            options={
                'verbose_name': 'rastro',
                'verbose_name_plural': 'rastros',
            },
        ),
        migrations.AlterModelOptions(
            name='scoredrun',
            options={'permissions': [('review_scoredrun', 'Puede aprobar, anular y restituir vueltas')], 'verbose_name': 'vuelta puntuable', 'verbose_name_plural': 'vueltas puntuables'},
        ),
        migrations.RemoveConstraint(
            model_name='flag',
            name='one_flag_per_reason',
        ),
        migrations.RemoveIndex(
            model_name='standing',
            name='standing_by_time',
        ),
        migrations.AddField(
            model_name='flag',
            name='about',
            field=models.CharField(blank=True, help_text='What of the run, where there may be several: a match', max_length=60),
        ),
        migrations.AddField(
            model_name='flag',
            name='evidence',
            field=models.TextField(blank=True, verbose_name='indicio'),
        ),
        migrations.AddField(
            model_name='flag',
            name='kind',
            field=models.CharField(default='books', max_length=16, verbose_name='clase'),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='flag',
            name='link',
            field=models.CharField(blank=True, help_text="Where it is seen: a query of the run's page", max_length=200),
        ),
        migrations.AddField(
            model_name='scoredrun',
            name='decided',
            field=models.PositiveIntegerField(db_default=0, default=0, help_text='How many in the trail', verbose_name='decisiones'),
        ),
        migrations.AddField(
            model_name='scoredrun',
            name='is_flagged',
            field=models.BooleanField(db_default=False, default=False, verbose_name='con señales'),
        ),
        migrations.AddField(
            model_name='scoredrun',
            name='is_waiting',
            field=models.BooleanField(db_default=False, default=False, verbose_name='espera'),
        ),
        migrations.AddField(
            model_name='scoredrun',
            name='measures',
            field=models.JSONField(help_text='Figures that verifying it gave, to compare runs by', null=True),
        ),
        migrations.AddField(
            model_name='scoredrun',
            name='state',
            field=models.CharField(choices=[('waiting', 'Por revisar'), ('approved', 'Aprobada'), ('annulled', 'Anulada')], db_default='waiting', default='waiting', max_length=8, verbose_name='estado'),
        ),
        migrations.AddField(
            model_name='season',
            name='amended_at',
            field=models.DateTimeField(editable=False, help_text='When the final table was last written again', null=True),
        ),
        migrations.AddField(
            model_name='season',
            name='revision',
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.AddField(
            model_name='standing',
            name='moved_at',
            field=models.DateTimeField(help_text='When the points last changed: by an award or a decision', null=True),
        ),
        migrations.AlterField(
            model_name='flag',
            name='reason',
            field=models.CharField(max_length=200, verbose_name='motivo'),
        ),
        migrations.AlterField(
            model_name='scoredrun',
            name='checked_at',
            field=models.DateTimeField(help_text='When its matches were last verified', null=True, verbose_name='comprobada'),
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name='scoredrun',
            index=models.Index(condition=models.Q(('is_waiting', True)), fields=['-is_flagged', '-started_at', 'run_id'], name='run_waiting'),
        ),
        migrations.AddIndex(
            model_name='standing',
            index=models.Index(fields=['season', 'moved_at'], name='standing_by_time'),
        ),
        migrations.AddConstraint(
            model_name='flag',
            constraint=models.UniqueConstraint(fields=('run', 'kind', 'about'), name='one_flag_of_a_kind'),
        ),
        migrations.AddConstraint(
            model_name='scoredrun',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ('waiting', 'approved', 'annulled'))), name='run_state_is_known'),
        ),
        migrations.AddField(
            model_name='decision',
            name='run',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='tournament.scoredrun', verbose_name='vuelta'),
        ),
        migrations.AddField(
            model_name='secondlook',
            name='run',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='second_look', to='tournament.scoredrun', verbose_name='vuelta'),
        ),
        migrations.AddField(
            model_name='trace',
            name='run',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='traces', to='tournament.scoredrun', verbose_name='vuelta'),
        ),
        migrations.AddIndex(
            model_name='decision',
            index=models.Index(fields=['-at'], name='decision_by_time'),
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.UniqueConstraint(fields=('run', 'number'), name='one_decision_per_number'),
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('action', 'annul'), _negated=True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='annulled_for_a_reason'),
        ),
        migrations.AddIndex(
            model_name='trace',
            index=models.Index(fields=['digest', 'at'], name='trace_by_digest'),
        ),
        migrations.AddIndex(
            model_name='trace',
            index=models.Index(fields=['at'], name='trace_by_age'),
        ),
        migrations.AddConstraint(
            model_name='trace',
            constraint=models.UniqueConstraint(fields=('run', 'kind', 'digest'), name='one_trace_of_a_run'),
        ),
        migrations.RunPython(protect, unprotect),
    ]
