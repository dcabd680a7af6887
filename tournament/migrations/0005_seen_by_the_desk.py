"""What a reviewer has seen, and each start's own trace."""

from django.db import migrations, models

FILL = """
UPDATE tournament_scoredrun SET
asks = is_waiting AND EXISTS (SELECT 1 FROM tournament_secondlook look WHERE look.run_id = tournament_scoredrun.run_id),
news = decided + (SELECT count(*) FROM tournament_flag flag WHERE flag.run_id = tournament_scoredrun.run_id)
+ (SELECT count(*) FROM tournament_secondlook look WHERE look.run_id = tournament_scoredrun.run_id)
"""


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0004_desk'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='trace',
            name='one_trace_of_a_run',
        ),
        migrations.AddField(
            model_name='scoredrun',
            name='asks',
            field=models.BooleanField(db_default=False, default=False, help_text='And has none yet', verbose_name='pide una segunda mirada'),
        ),
        migrations.AddField(
            model_name='scoredrun',
            name='news',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='scoredrun',
            name='tried_at',
            field=models.DateTimeField(help_text='When somebody last began to verify them', null=True),
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AlterField(
            model_name='flag',
            name='about',
            field=models.CharField(blank=True, help_text='What tells several of a kind apart: a match, an account, a fault', max_length=60),
        ),
        migrations.AlterField(
            model_name='flag',
            name='link',
            field=models.CharField(blank=True, help_text="Where it is seen, from the run's page", max_length=200),
        ),
        migrations.AlterField(
            model_name='season',
            name='slug',
            field=models.SlugField(help_text='Lo que va después de /ranking/', max_length=60, unique=True, verbose_name='dirección'),
        ),
        migrations.AddIndex(
            model_name='scoredrun',
            index=models.Index(condition=models.Q(('asks', True)), fields=['-is_flagged', '-started_at', 'run_id'], name='run_asking'),
        ),
        migrations.AddIndex(
            model_name='scoredrun',
            index=models.Index(condition=models.Q(('state', 'approved')), fields=['-is_flagged', '-started_at', 'run_id'], name='run_approved'),
        ),
        migrations.AddConstraint(
            model_name='trace',
            constraint=models.UniqueConstraint(fields=('run', 'kind', 'digest', 'at'), name='one_trace_of_a_start'),
        ),
    ]
